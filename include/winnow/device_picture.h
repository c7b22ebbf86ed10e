// Describes a grey picture that already lies in the memory of a device.
//
//   winnow::DevicePicture picture{pixels, 640, 480, 640, 0, stream};   // from CUDA, PyTorch, CuPy, ...
//   detector.detect(std::span(&picture, 1), options, results);         // backend cuda: no copy to the host
//
// In:     a device pointer. The work that writes the pixels must have been put on `stream` before the call.
//         The stream is used only during the call.
// Out:    a plain value that a `Detector` takes in place of a view. `device_of`: the number of the device
//         that holds a pointer's memory.
// Exact:  the answer is that of the same pixels in host memory.
// Memory: this struct copies nothing. The pixels must stay as they are until `detect` returns, or until the
//         `collect` of a search that `enqueue` started.
#pragma once

#include <cstddef>
#include <cstdint>

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

struct DevicePicture {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;  // bytes from one row to the next; at least `width`
  int device = 0;             // CUDA's number of the device
  void* stream = nullptr;     // a cudaStream_t of that device; null is the default stream

  Size size() const { return {width, height}; }
};

// The number of the device that holds this memory, for callers that do not know it. kUsage if no device holds
// the memory; kBackend if there is no device, or this build has no backend on devices.
WINNOW_API int device_of(const void* memory);

}  // namespace winnow
