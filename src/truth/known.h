// Recognises the format of a text with labels by its content.
//
// In:     a whole text, possibly hostile, not copied.
// Out:    the format.
// Memory: nothing of the text is kept.
// Thread: any.
#pragma once

#include <string_view>

#include <winnow/truth.h>

namespace winnow {

// Throws kFormat if the text has no known format, or may have one of two. The sentence then lists the formats
// to choose from.
TruthFormat known_format(std::string_view text);
// The format of this name. Throws kUsage, with all names, if there is none.
TruthFormat named_format(std::string_view name);

}  // namespace winnow
