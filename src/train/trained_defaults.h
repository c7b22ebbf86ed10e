// Gives the search defaults of models that Winnow trains. They were chosen on whole pictures of people:
// docs/design/018-small-things.md.
//
// In:     the model's window.
// Out:    the search defaults for the new model's card.
// Memory: plain data.
// Thread: any.
#pragma once

#include <winnow/box.h>
#include <winnow/search_defaults.h>

namespace winnow {

SearchDefaults trained_svm_defaults(Size window);
SearchDefaults trained_blocks_defaults(Size window);

}  // namespace winnow
