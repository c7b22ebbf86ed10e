// Allocates the pixels of an `Image`, in large pages if they are many, as winnow/image.h declares; its
// opening comment holds here.
#include <sys/mman.h>

#include <cstddef>
#include <new>

#include <winnow/image.h>

namespace winnow {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

// Large pages are used from two pages on: rounding up to whole pages then adds less than half of the size.
constexpr bool is_large(std::size_t bytes) { return bytes >= 2 * kLargePage; }

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t(is_large(bytes) ? kLargePage : alignof(std::max_align_t));
}

}  // namespace

void* allocate_pixels(std::size_t bytes) {
  const std::size_t rounded = is_large(bytes) ? (bytes + kLargePage - 1) / kLargePage * kLargePage : bytes;
  void* pixels = ::operator new(rounded, alignment_of(bytes));
  if (is_large(bytes)) madvise(pixels, rounded, MADV_HUGEPAGE);  // a hint that may be refused
  return pixels;
}

void free_pixels(void* pixels, std::size_t bytes) noexcept { ::operator delete(pixels, alignment_of(bytes)); }

}  // namespace winnow
