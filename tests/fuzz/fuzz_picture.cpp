// Fuzzes the reader of pictures with any bytes, which give a picture or an `Error`, and never take more memory
// than `most_memory` says for their format.
// The last byte does not belong to the picture. The lowest bit of the last byte asks for colour.
#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <winnow/error.h>
#include <winnow/image.h>

#include "image/picture_format.h"

namespace {

constexpr std::int64_t kMaxPixels = 1 << 20;

// Bytes that lie allocated, and the most of them since `peak` was set.
std::atomic<std::int64_t> live{0}, peak{0};

void on_malloc(const volatile void* bytes, std::size_t) {
  const auto size = static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(bytes)));
  const std::int64_t now = live += size;
  std::int64_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}
void on_free(const volatile void* bytes) {
  live -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(bytes)));
}

// libtiff and libwebp have limits of their own, beside the number of pixels. Decoders of HEVC and AV1 keep
// frames.
std::int64_t most_memory(std::span<const std::byte> bytes) {
  using winnow::PictureKind;
  const winnow::PictureFormat* format = winnow::format_of(bytes);
  const PictureKind kind = format == nullptr ? PictureKind::kPnm : format->kind;
  if (kind == PictureKind::kTiff || kind == PictureKind::kWebp) return 1024 * kMaxPixels;
  return (kind == PictureKind::kHeic || kind == PictureKind::kAvif ? 64 : 32) * kMaxPixels;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) == 0) __builtin_trap();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool color = (data[size - 1] & 1) != 0;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size - 1);
  const std::int64_t before = live;
  peak = before;
  try {
    const winnow::Picture picture = winnow::decode_picture(bytes, {.color = color, .max_pixels = kMaxPixels});
    const winnow::Size got = picture.gray.size();
    if (picture.gray.empty() || std::int64_t{got.width} * got.height > kMaxPixels) __builtin_trap();
    if (picture.color.size() != (color ? got : winnow::Size{})) __builtin_trap();
  } catch (const winnow::Error& error) {
    if (error.sentence().empty()) __builtin_trap();
  }
  if (peak - before > most_memory(bytes)) {
    std::fprintf(stderr, "fuzz_picture: the picture took %lld bytes\n",
                 static_cast<long long>(peak - before));
    __builtin_trap();
  }
  return 0;
}
