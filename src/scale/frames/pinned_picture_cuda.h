// Copies pictures into frames without staging: from pinned host memory, or from a device's memory.
//
// In:     a picture in pinned host memory, or in the memory of a device (any stride of at least the width).
// Out:    rows of a frame (`scale/frames/frame.h`) in device memory, in the order of the stream. Padding
//         behind a row stays as it is.
// Exact:  a frame holds the picture's own bytes.
// Memory: the caller owns picture and frame, and keeps both until the stream is done. Nothing is allocated.
// Thread: any; no function waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/image.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_pinned.h"
#include "scale/frames/frame.h"

namespace winnow {

// Whether all of a picture's rows lie in pinned memory.
inline bool lies_pinned(GrayView picture) {
  if (picture.empty() || picture.stride < picture.width) return false;
  const std::int64_t bytes = std::int64_t{picture.stride} * (picture.height - 1) + picture.width;
  return is_pinned(picture.data, static_cast<std::size_t>(bytes));
}

// Copies a whole picture from the device's own memory into a frame.
inline void copy_on_device(GrayView picture, std::uint8_t* to, cudaStream_t stream) {
  check_cuda(
      cudaMemcpy2DAsync(to, static_cast<std::size_t>(frame_pitch(picture.width)), picture.data,
                        static_cast<std::size_t>(picture.stride), static_cast<std::size_t>(picture.width),
                        static_cast<std::size_t>(picture.height), cudaMemcpyDeviceToDevice, stream),
      "copying a picture on the device");
}

// Copies rows of a pinned picture into a frame, as `stage_rows` does. `to` is the place of the first row.
inline void copy_pinned(GrayView picture, RowRange rows, std::uint8_t* to, cudaStream_t stream) {
  const auto pitch = static_cast<std::size_t>(frame_pitch(picture.width));
  const auto width = static_cast<std::size_t>(picture.width),
             height = static_cast<std::size_t>(rows.last - rows.first);
  const char* doing = "copying a pinned picture to the device";
  if (picture.stride == static_cast<std::ptrdiff_t>(pitch) && width == pitch) {
    check_cuda(cudaMemcpyAsync(to, picture.row(rows.first), pitch * height, cudaMemcpyHostToDevice, stream),
               doing);
  } else {
    check_cuda(cudaMemcpy2DAsync(to, pitch, picture.row(rows.first), static_cast<std::size_t>(picture.stride),
                                 width, height, cudaMemcpyHostToDevice, stream),
               doing);
  }
}

}  // namespace winnow
