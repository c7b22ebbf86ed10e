// A list of numbers to one: their exact sum, their least and largest value.
// In: unsigned 32-bit numbers, as many as memory holds. Out: the sum in 64 bits (exact for fewer than 2^32
// numbers, modulo 2^64 beyond), or both extremes. Of no numbers the sum is 0, and there are no extremes:
// {largest number, 0}. exact: integers, so that any order gives the same bits. reference: one loop. cpu:
// lanes; one pass, bound by memory.
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
