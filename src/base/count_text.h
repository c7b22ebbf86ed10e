// Writes a count with its noun, for a sentence: "1 picture", "2 pictures".
//
// Memory: the text is a new string.
#pragma once

#include <cstdint>
#include <string>

namespace winnow {

inline std::string count_text(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace winnow
