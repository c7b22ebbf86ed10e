// Calls NVIDIA's NPP, a rival in a bench, for the integral planes of one picture.
//
// In:     pixels in device memory.
// Out:    planes in device memory, in stream order.
// Memory: the caller owns pixels and planes. The libraries stay loaded until the process ends.
// Thread: one thread at a time.
//
// The libraries are loaded when the program runs, from the program's own library folder or LD_LIBRARY_PATH. A
// build needs no NPP.
#pragma once

#include <cstdint>
#include <string>

#include "base/device/cuda_device.h"

namespace bench {

class Npp {
 public:
  Npp();
  Npp(const Npp&) = delete;
  Npp& operator=(const Npp&) = delete;
  // The reason why NPP cannot be used; empty if it can.
  const std::string& why_not() const { return why_not_; }
  std::string version() const;

  // Planes have (width + 1) x (height + 1) values, and strides are in bytes. Throws the errors of NPP.
  void integral(const std::uint8_t* pixels, int pixel_stride, std::int32_t* sum, int sum_stride, int width,
                int height, cudaStream_t stream) const;
  void integral(const std::uint8_t* pixels, int pixel_stride, std::int32_t* sum, int sum_stride,
                std::int32_t* square, int square_stride, int width, int height, cudaStream_t stream) const;
  void integral(const std::uint8_t* pixels, int pixel_stride, std::int32_t* sum, int sum_stride,
                double* square, int square_stride, int width, int height, cudaStream_t stream) const;

 private:
  void* core_ = nullptr;
  void *sum_ = nullptr, *square_ = nullptr, *square_double_ = nullptr;
  std::string why_not_;
};

}  // namespace bench
