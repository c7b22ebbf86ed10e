// A frame in device memory, and in the host memory that it is copied from: rows begin at multiples of 16
// bytes. `PictureSource` says where a picture lies before it becomes a frame.
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

// Where a picture's pixels lie.
struct PictureSource {
  int device = -1;         // a CUDA device; -1: the host's memory
  void* stream = nullptr;  // of that device: work on it before the call has written the pixels
  bool on_device() const { return device >= 0; }
  bool operator==(const PictureSource&) const = default;
};

// Copies rows of a picture to where the first of them goes in a frame. Padding behind a row stays as it is.
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
