// Reduces a list of numbers to their sum, or to their least and largest value.
//
// In:     unsigned 32-bit numbers, as many as memory holds, not copied.
// Out:    the sum in 64 bits: exact for fewer than 2^32 numbers, modulo 2^64 beyond. Or the least and the
//         largest value. An empty list has the sum 0, the least value 2^32 - 1 and the largest value 0.
// Exact:  integers, so that any order of adding gives the same bits.
// Memory: nothing is allocated.
// Thread: any.
// Cost:   the reference is one loop. The cpu form is one pass in lanes, bound by memory.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace winnow {

struct Extremes {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t largest = 0;
  bool operator==(const Extremes&) const = default;
};

std::uint64_t sum_ref(std::span<const std::uint32_t> values);
std::uint64_t sum_cpu(std::span<const std::uint32_t> values);
Extremes extremes_ref(std::span<const std::uint32_t> values);
Extremes extremes_cpu(std::span<const std::uint32_t> values);

}  // namespace winnow
