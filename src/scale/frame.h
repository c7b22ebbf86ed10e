// A frame in device memory, and in the host memory that it is copied from: rows begin at multiples of 16
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <winnow/image.h>

#include "scale/plan.h"

namespace winnow {

constexpr int kFramePitch = 16;
constexpr std::int64_t frame_pitch(int width) {
  return (width + kFramePitch - 1) / kFramePitch * kFramePitch;
}
inline std::int64_t frame_bytes(Size size) { return frame_pitch(size.width) * size.height; }

// Rows of a picture as they lie there, to where the first of them goes. What pads a row is left.
inline void stage_rows(GrayView picture, RowRange rows, std::uint8_t* to) {
  const auto pitch = static_cast<std::size_t>(frame_pitch(picture.width));
  const auto width = static_cast<std::size_t>(picture.width);
  if (picture.stride == static_cast<std::ptrdiff_t>(pitch) && width == pitch) {
    std::memcpy(to, picture.row(rows.first), pitch * static_cast<std::size_t>(rows.last - rows.first));
    return;
  }
  for (int y = rows.first; y < rows.last; ++y, to += pitch) std::memcpy(to, picture.row(y), width);
}

}  // namespace winnow
