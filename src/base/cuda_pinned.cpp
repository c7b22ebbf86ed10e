#include "base/cuda_pinned.h"

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
  std::vector<Range> ranges;  // few
};

// Never destroyed: detectors may outlive whatever is.
Pinned& all_pinned() {
  static auto* const pinned = new Pinned;
  return *pinned;
}

Range range_of(const void* memory, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(memory);
  return {first, first + bytes};
}

bool registered_before(const void* at) {
  cudaPointerAttributes of{};
  const bool known = cudaPointerGetAttributes(&of, at) == cudaSuccess && of.type == cudaMemoryTypeHost;
  cudaGetLastError();
  return known;
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
  const bool before = registered_before(range.first) && registered_before(range.last - 1);
  if (!before) {
    const cudaError_t status = cudaHostRegister(const_cast<void*>(memory), bytes, cudaHostRegisterPortable);
    if (status != cudaSuccess) {
      cudaGetLastError();
      throw Error(ErrorCode::kDevice,
                  "memory could not be pinned: " + std::string(cudaGetErrorString(status)));
    }
  }
  Pinned& pinned = all_pinned();
  const std::unique_lock lock(pinned.mutex);
  pinned.ranges.push_back(range);
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
