// Makes a grey picture for tests. Its last pixel lies right before memory that the process may not touch.
//
// In:     sides of 1 or more, and a stride.
// Out:    a view whose pixels are 0. A read or write beyond the end of its last row ends the test.
// Memory: owned, in pages of its own.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include <winnow/image.h>

namespace winnow {

class FencedPicture {
 public:
  FencedPicture(int width, int height, std::ptrdiff_t stride)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    const std::size_t bytes = static_cast<std::size_t>(stride) * static_cast<std::size_t>(height - 1) +
                              static_cast<std::size_t>(width);
    size_ = (bytes + page_ - 1) / page_ * page_ + page_;
    void* all = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<std::uint8_t*>(all);
    if (mprotect(all_ + size_ - page_, page_, PROT_NONE) != 0) throw std::bad_alloc();
    view_ = {all_ + size_ - page_ - bytes, width, height, stride};
  }
  ~FencedPicture() { munmap(all_, size_); }
  FencedPicture(const FencedPicture&) = delete;
  FencedPicture& operator=(const FencedPicture&) = delete;
  ImageView<std::uint8_t> view() const { return view_; }

 private:
  std::size_t page_, size_ = 0;
  std::uint8_t* all_ = nullptr;
  ImageView<std::uint8_t> view_;
};

}  // namespace winnow
