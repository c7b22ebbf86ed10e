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

// Throws kFormat if the text fits no known format, or fits two. The error then lists the formats to choose
// from.
TruthFormat known_format(std::string_view text);
// The format of this name. If there is none, throws kUsage with a list of all names.
TruthFormat named_format(std::string_view name);

}  // namespace winnow
