// Writes a size for a sentence: "24x24".
//
// Memory: the text is a new string.
#pragma once

#include <string>

#include <winnow/box.h>

namespace winnow {

inline std::string size_text(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

}  // namespace winnow
