// Skips a test of the cuda backend if no device is usable.
//
// Out:    WINNOW_NEEDS_DEVICE() at the start of a test skips the test with the reason. With
//         WINNOW_REQUIRE_CUDA=1 the test fails instead.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#ifdef WINNOW_HAVE_CUDA
#include "base/device/cuda_device.h"
#endif

namespace winnow::sample {

// Empty if a device is usable, else the reason.
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
