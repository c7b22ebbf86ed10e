// Keeps the living windows of a list, in their order. A window lives if its bit in a mask is set.
//
// In:     window ids, and a mask. Bit i % 64 of word i / 64 belongs to window i. Bits beyond the last window
//         are ignored.
// Out:    the ids whose bit is set, at the front of `out`, and their number. kUsage if the mask or `out` is
//         too small.
// Exact:  same ids in the same order for every backend.
// Memory: `out` is the caller's and has room for all of `windows`. It may be the same memory as `windows`,
//         but must not overlap it otherwise. Nothing is allocated.
// Cost:   one pass; each living id is read and written once. The reference loops over all windows. The cpu
//         form loops over the living windows, 64 windows per word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace winnow {

std::size_t compact_ref(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                        std::span<std::int64_t> out);
std::size_t compact_cpu(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                        std::span<std::int64_t> out);

}  // namespace winnow
