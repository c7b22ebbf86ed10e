// Gives the layout of a frame in device memory, and in the host memory from which a device copies frames.
//
// In:     a picture's size, or its rows in host memory (any stride).
// Out:    the pitch and size in bytes of the picture's frame; or the rows, copied into a frame. Rows of a
//         frame begin at multiples of 16 bytes.
// Exact:  a frame holds the picture's own bytes.
// Memory: the caller owns picture and frame. Nothing is allocated.
// Thread: any.
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

// Where a picture's pixels lie before they become a frame.
struct PictureSource {
  int device = -1;         // the number of a CUDA device; -1 is the host's memory
  void* stream = nullptr;  // the stream of that device on which the caller's work writes the pixels
  bool on_device() const { return device >= 0; }
  bool operator==(const PictureSource&) const = default;
};

// Copies rows of a picture into a frame. `to`: the place of the first of these rows in the frame. Padding
// behind a row stays as it is.
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
