// Which format a text is in, by what is in it.
#pragma once

#include <string_view>

#include <winnow/truth.h>

namespace winnow {

// kFormat if it is none, or may be one of two: then the sentence says which to name.
TruthFormat known_format(std::string_view text);
// kUsage, with the names that there are.
TruthFormat named_format(std::string_view name);

}  // namespace winnow
