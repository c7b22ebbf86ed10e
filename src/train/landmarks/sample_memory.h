// Gives lists of samples' numbers: in memory while a budget lasts, then in a file.
//
// In:     the budget in bytes, and the folder of the file; "" is the system's folder for such files.
// Out:    lists of zeros. kIo if the file cannot be made, or the disk is full.
// Exact:  the place of a list does not change its numbers.
// Memory: a list owns its pages and outlives the `SampleMemory`. The file has no name, so it ends with the
//         list. The system keeps as much of it in memory as is free.
// Thread: one thread at a time makes lists; any thread may use its part of a list.
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
  // Takes memory that other parts of a training need from the budget.
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
