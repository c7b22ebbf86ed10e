// Gives buffers in device memory, and in pinned host memory that a device copies at full speed.
//
// In:     a number of values of a trivially copyable type.
// Out:    memory whose values are not initialised; kDevice if there is not enough.
// Memory: a buffer frees its memory when it is destroyed. `reserve` allocates only if the buffer must grow.
//         The old values are then lost, and pointers to them are invalid. A buffer that grows takes up to
//         half of its old size more than it was asked for.
// Thread: one thread at a time for a buffer. Device memory is allocated on the current device.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "base/device/cuda_device.h"

namespace winnow {

// The number of allocations of device and pinned memory in this process. Tests use the number to prove that
// sessions allocate once.
std::int64_t cuda_allocations();

void* allocate_device(std::size_t bytes);
void free_device(void* memory) noexcept;
void* allocate_pinned(std::size_t bytes);
void free_pinned(void* memory) noexcept;

// The most bytes that a growing buffer adds to its old size on its own account.
constexpr std::size_t kMostSlackBytes = std::size_t{64} << 20;

template <class T, void* (*kAllocate)(std::size_t), void (*kFree)(void*) noexcept>
class CudaBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  CudaBuffer() = default;
  explicit CudaBuffer(std::size_t size) { reserve(size); }
  ~CudaBuffer() { kFree(data_); }
  CudaBuffer(CudaBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  CudaBuffer& operator=(CudaBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  // True if new memory was allocated; the old values are then lost.
  bool reserve(std::size_t size) {
    if (size <= size_) return false;
    // A buffer that grows may grow again, as when pictures have many sizes. Each time costs a wait for the
    // device, and half a millisecond for each MiB of pinned memory.
    if (size_ > 0) size = std::max(size, size_ + std::min(size_ / 2, kMostSlackBytes / sizeof(T)));
    kFree(std::exchange(data_, nullptr));
    size_ = 0;
    data_ = static_cast<T*>(kAllocate(size * sizeof(T)));
    size_ = size;
    return true;
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
using DeviceBuffer = CudaBuffer<T, allocate_device, free_device>;
template <class T>
using PinnedBuffer = CudaBuffer<T, allocate_pinned, free_pinned>;

// Copies values to a device, for data that is made once. They are there when the call returns, unless the
// thread's uploads travel on a stream (`cuda_uploads.h`).
void upload_bytes(const void* from, std::size_t bytes, void* to);

template <class T>
void upload(std::span<const T> values, DeviceBuffer<std::remove_const_t<T>>& buffer) {
  buffer.reserve(values.size());
  if (!values.empty()) upload_bytes(values.data(), values.size_bytes(), buffer.data());
}

}  // namespace winnow
