// Whether tests of the cuda backend can run here. WINNOW_REQUIRE_CUDA=1 makes the lack of a device a failure.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#ifdef WINNOW_HAVE_CUDA
#include "base/cuda_device.h"
#endif

namespace winnow::sample {

// Empty if there is a device; else why there is none.
inline std::string no_device() {
#ifdef WINNOW_HAVE_CUDA
  std::string why;
  for (const CudaDeviceInfo& device : cuda_devices(&why)) {
    if (device.usable) return {};
    why = device.why_not;
  }
#else
  const std::string why = "this build has no CUDA backend";
#endif
  const char* required = std::getenv("WINNOW_REQUIRE_CUDA");
  if (required != nullptr && *required == '1') ADD_FAILURE() << why;
  return why;
}

}  // namespace winnow::sample

#define WINNOW_NEEDS_DEVICE()                                                \
  if (const std::string why = ::winnow::sample::no_device(); !why.empty()) { \
    GTEST_SKIP() << "needs a device: " << why;                               \
  }                                                                          \
  static_assert(true)
