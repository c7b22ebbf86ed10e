// Reads and writes the size of frames as text, such as "640x480".
//
// In:     a text, or a size.
// Out:    a size with sides from 1 to 65,536, or a text. Throws for any other text.
// Memory: the text belongs to the caller.
// Thread: any.
#pragma once

#include <winnow/image.h>

#include <charconv>
#include <stdexcept>
#include <string>

namespace bench {

inline std::string size_in_words(winnow::Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

inline winnow::Size parse_frame_size(const std::string& text) {
  constexpr int kMost = 65536;
  winnow::Size size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, size.height);
    if (height.ec == std::errc() && height.ptr == end && size.width >= 1 && size.height >= 1 &&
        size.width <= kMost && size.height <= kMost)
      return size;
  }
  throw std::runtime_error("'" + text + "' is no size of frames; write one such as 640x480");
}

}  // namespace bench
