// The living among a list of windows, in their order.
// In: window ids and a mask, bit i % 64 of word i / 64 for window i; bits beyond the last window are ignored.
// Out: the ids whose bit is set, from the front of memory of the caller's, and how many they are. `out` has
// room for all of `windows`; it may be the same memory, but must not overlap it otherwise. Too small a mask
// or `out`: kUsage. exact. reference: one loop over windows. cpu: one loop over the living, 64 windows a
// word. One pass; each living id is read and written once.
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
