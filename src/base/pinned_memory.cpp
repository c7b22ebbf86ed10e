#include <winnow/pinned.h>

#ifdef WINNOW_HAVE_CUDA
#include <algorithm>

#include "base/cuda_device.h"
#include "base/cuda_pinned.h"
#endif

namespace winnow {

#ifdef WINNOW_HAVE_CUDA

PinnedMemory::PinnedMemory(std::span<const std::byte> memory) {
  if (memory.empty()) return;
  const std::vector<CudaDeviceInfo> devices = cuda_devices();
  const auto usable = std::find_if(devices.begin(), devices.end(),
                                   [](const CudaDeviceInfo& device) { return device.usable; });
  if (usable == devices.end()) return;
  const OnDevice on(usable->number);
  registered_ = pin_memory(memory.data(), memory.size());
  memory_ = memory;
}

PinnedMemory::~PinnedMemory() {
  if (held()) unpin_memory(memory_.data(), memory_.size(), registered_);
}

#else

PinnedMemory::PinnedMemory(std::span<const std::byte>) {}
PinnedMemory::~PinnedMemory() = default;

#endif

}  // namespace winnow
