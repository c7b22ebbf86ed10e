// Allocates large lists of numbers for samples: in memory while a budget lasts, then in files.
//
// In:     the budget in bytes, and the folder of the files; "" means the system's folder for temporary files.
// Out:    lists of zeros. kIo if a file cannot be made, or if the disk is full.
// Exact:  a list has the same numbers in memory and in a file.
// Memory: a list owns its pages and may outlive the `SampleMemory`. A list's file has no name, so the system
//         removes the file when the list is destroyed. The system caches as much of a file as fits free
//         memory.
// Thread: one thread at a time makes lists. Several threads may use different parts of a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace winnow {

class SampleMemory {
 public:
  SampleMemory(std::int64_t budget, std::string folder) : left_(budget), folder_(std::move(folder)) {}
  // Takes `bytes` off the budget, because other parts of a training need them.
  void set_aside(std::int64_t bytes) { left_ -= bytes; }
  void* map(std::size_t bytes);
  bool uses_file() const { return uses_file_; }

 private:
  std::int64_t left_;
  std::string folder_;
  bool uses_file_ = false;
};

void unmap(void* memory, std::size_t bytes) noexcept;

template <class T>
class SampleList {
 public:
  SampleList() = default;
  SampleList(SampleMemory& memory, std::size_t size)
      : data_(static_cast<T*>(memory.map(size * sizeof(T)))), size_(size) {}
  SampleList(SampleList&& other) noexcept { swap(other); }
  SampleList& operator=(SampleList&& other) noexcept {
    swap(other);
    return *this;
  }
  ~SampleList() { unmap(data_, size_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<T> all() { return {data_, size_}; }
  std::span<const T> all() const { return {data_, size_}; }

 private:
  void swap(SampleList& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace winnow
