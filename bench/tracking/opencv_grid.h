// Counts the windows that OpenCV's TLD searches in a frame (`cv::legacy::TrackerTLD`, OpenCV 4.6).
//
// In:     the size of frames, and the object's box in the first of them.
// Out:    the number of windows.
// Exact:  OpenCV's rule: one size of windows, whose shorter side has 20 pixels and which moves by a tenth of
//         each side, in frames that shrink by 1.2 from level to level. A small object's frames grow first.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <winnow/box.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench {

inline std::int64_t opencv_tld_windows(winnow::Size frame, const winnow::RealBox& box) {
  constexpr double kSide = 20, kShrink = 1.2;
  const double scale = kSide / std::min(box.width, box.height);
  const int width = static_cast<int>(box.width * scale), height = static_cast<int>(box.height * scale);
  const int right = width / 10, down = height / 10;
  double across = frame.width, along = frame.height;
  if (scale > 1) {
    across = std::round(across * scale);
    along = std::round(along * scale);
  }
  std::int64_t windows = 0;
  do {
    const int columns = (static_cast<int>(std::lrint(across)) - width) / right;
    const int rows = (static_cast<int>(std::lrint(along)) - height) / down;
    windows += std::int64_t{std::max(0, columns)} * std::max(0, rows);
    across /= kShrink;
    along /= kShrink;
  } while (across >= width && along >= height);
  return windows;
}

}  // namespace bench
