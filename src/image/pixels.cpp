#include <sys/mman.h>

#include <new>

#include <winnow/image.h>

namespace winnow {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

// From here on rounding adds less than half.
constexpr bool is_large(std::size_t bytes) { return bytes >= 2 * kLargePage; }

}  // namespace

void* allocate_pixels(std::size_t bytes) {
  if (!is_large(bytes)) return ::operator new(bytes);
  const std::size_t rounded = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  void* pixels = ::operator new(rounded, std::align_val_t(kLargePage));
  madvise(pixels, rounded, MADV_HUGEPAGE);  // a wish: where it is not granted, all else is as it was
  return pixels;
}

void free_pixels(void* pixels, std::size_t bytes) noexcept {
  is_large(bytes) ? ::operator delete(pixels, std::align_val_t(kLargePage)) : ::operator delete(pixels);
}

}  // namespace winnow
