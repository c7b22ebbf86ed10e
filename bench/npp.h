// NVIDIA's NPP as a rival in a bench: integral planes of one picture at a time. Found when the program runs,
// in what the loader searches (the program's own library folder, LD_LIBRARY_PATH); a build needs nothing of
// it.
#pragma once

#include <cstdint>
#include <string>

#include "base/cuda_device.h"

namespace bench {

class Npp {
 public:
  Npp();
  Npp(const Npp&) = delete;
  Npp& operator=(const Npp&) = delete;
  // Empty: it is here.
  const std::string& why_not() const { return why_not_; }
  std::string version() const;

  // Planes of (width + 1) x (height + 1) values; strides in bytes. They throw what NPP calls an error.
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
