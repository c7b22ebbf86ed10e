#include <algorithm>
#include <bit>
#include <cstring>

#include <winnow/error.h>

#include "primitives/compact.h"

namespace winnow {

// A word of the mask has 64 windows. The loop visits only the living ones. The windows of a full word are
// copied at once. Highway's compress is slower: 6 to 7 ns per window with vectors of 512 bits, and 1.1 ns
// with 128 bits. This loop takes 0.1 to 0.6 ns (20, 50 and 95 % living, EPYC, 2026-11, primitives_bench).
std::size_t compact_cpu(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                        std::span<std::int64_t> out) {
  if (mask.size() < (windows.size() + 63) / 64 || out.size() < windows.size()) {
    throw Error(ErrorCode::kUsage, "compaction needs a bit and a place for every window");
  }
  const std::int64_t* from = windows.data();
  std::int64_t* to = out.data();
  for (std::size_t at = 0; at < windows.size(); at += 64, from += 64) {
    const std::size_t here = std::min<std::size_t>(windows.size() - at, 64);
    std::uint64_t word = mask[at / 64];
    if (here < 64) word &= (std::uint64_t{1} << here) - 1;
    if (word == ~std::uint64_t{0}) {
      std::memmove(to, from, 64 * sizeof(*to));
      to += 64;
      continue;
    }
    for (; word != 0; word &= word - 1) *to++ = from[std::countr_zero(word)];
  }
  return static_cast<std::size_t>(to - out.data());
}

}  // namespace winnow
