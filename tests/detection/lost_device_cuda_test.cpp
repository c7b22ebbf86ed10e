// Tests that a detector reports a lost device and refuses further work, and that the process goes on.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_device.h"

namespace winnow {
namespace {

// Runs a kernel that traps. Afterwards every call of this process for the device fails.
void lose_context() {
  constexpr char kTrap[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry fault()\n{\n  trap;\n}\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  check_cuda(cudaLibraryLoadData(&library, kTrap, nullptr, nullptr, 0, nullptr, nullptr, 0), "loading");
  check_cuda(cudaLibraryGetKernel(&kernel, library, "fault"), "looking for a kernel");
  check_cuda(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), nullptr, 0, nullptr),
             "launching");
  cudaDeviceSynchronize();
}

// Runs in a process of its own, since the context does not come back. Exits with 0 if the test passed.
[[noreturn]] void lose_the_device() {
  const GrayImage scene = sample::make_scene({200, 150}, {{20, 30, 36, 36}});
  auto cuda = std::make_unique<Detector>(sample::square_finder(), MachineOptions{BackendKind::kCuda, 1});
  Detector cpu(sample::square_finder(), {BackendKind::kCpu, 1});
  const std::size_t found = cuda->detect(scene.view()).objects.size();
  lose_context();
  std::string first, second;
  for (std::string* said : {&first, &second}) {
    try {
      cuda->detect(scene.view());
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kDevice) *said = error.sentence();
    }
  }
  cuda.reset();
  std::fprintf(stderr, "%s\n%s\n", first.c_str(), second.c_str());
  const bool right = found > 0 && first.find("the device failed") == 0 &&
                     second.find("cannot go on") != std::string::npos &&
                     cpu.detect(scene.view()).objects.size() == found;
  std::_Exit(right ? 0 : 1);
}

TEST(LostDeviceCuda, IsAnErrorAndTheProcessLives) {
  WINNOW_NEEDS_DEVICE();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(lose_the_device(), testing::ExitedWithCode(0), "the device failed");
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
