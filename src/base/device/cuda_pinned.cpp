#include "base/device/cuda_pinned.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include <winnow/error.h>

namespace winnow {
namespace {

struct Range {
  const std::byte *first, *last;
  bool operator==(const Range&) const = default;
};

struct Pinned {
  std::shared_mutex mutex;
  std::vector<Range> ranges;  // only a few, so a linear search is enough
};

// All pinned ranges. The list is never destroyed, since a detector may outlive any static object.
Pinned& all_pinned() {
  static auto* const pinned = new Pinned;
  return *pinned;
}

Range range_of(const void* memory, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(memory);
  return {first, first + bytes};
}

// Whether all of the range is pinned already, by any code. Asks CUDA about every page.
bool registered_before(const Range& range) {
  constexpr std::ptrdiff_t kPage = 4096;
  const auto known = [](const std::byte* at) {
    cudaPointerAttributes of{};
    return cudaPointerGetAttributes(&of, at) == cudaSuccess && of.type == cudaMemoryTypeHost;
  };
  bool all = known(range.last - 1);
  for (const std::byte* at = range.first; all && at < range.last; at += std::min(kPage, range.last - at))
    all = known(at);
  cudaGetLastError();
  return all;
}

}  // namespace

bool is_pinned(const void* memory, std::size_t bytes) {
  const Range range = range_of(memory, bytes);
  Pinned& pinned = all_pinned();
  const std::shared_lock lock(pinned.mutex);
  return std::any_of(pinned.ranges.begin(), pinned.ranges.end(),
                     [&](const Range& of) { return of.first <= range.first && range.last <= of.last; });
}

bool pin_memory(const void* memory, std::size_t bytes) {
  const Range range = range_of(memory, bytes);
  const bool before = registered_before(range);
  if (!before) {
    const cudaError_t status = cudaHostRegister(const_cast<void*>(memory), bytes, cudaHostRegisterPortable);
    if (status != cudaSuccess) {
      cudaGetLastError();
      throw Error(ErrorCode::kDevice,
                  "memory could not be pinned: " + std::string(cudaGetErrorString(status)));
    }
  }
  try {
    Pinned& pinned = all_pinned();
    const std::unique_lock lock(pinned.mutex);
    pinned.ranges.push_back(range);
  } catch (...) {
    if (!before) cudaHostUnregister(const_cast<void*>(memory));
    cudaGetLastError();
    throw;
  }
  return !before;
}

void unpin_memory(const void* memory, std::size_t bytes, bool registered) noexcept {
  {
    Pinned& pinned = all_pinned();
    const std::unique_lock lock(pinned.mutex);
    const auto at = std::find(pinned.ranges.begin(), pinned.ranges.end(), range_of(memory, bytes));
    if (at != pinned.ranges.end()) pinned.ranges.erase(at);
  }
  if (registered) {
    cudaHostUnregister(const_cast<void*>(memory));
    cudaGetLastError();
  }
}

}  // namespace winnow
