// Random numbers without a state: a number for a seed and what it is for.
// exact: integers. So a choice depends neither on threads nor on what was chosen before, and a run that goes
// on after a break chooses as it would have.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace winnow {

WINNOW_HOST_DEVICE inline std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

template <class... More>
WINNOW_HOST_DEVICE std::uint64_t hash_of(std::uint64_t seed, More... more) {
  std::uint64_t h = mix_bits(seed);
  ((h = mix_bits(h ^ static_cast<std::uint64_t>(more))), ...);
  return h;
}

// From 0 to `count` - 1, nearly evenly for counts far below 2^32.
inline std::uint32_t hash_below(std::uint64_t hash, std::uint32_t count) {
  return static_cast<std::uint32_t>((hash >> 32) * count >> 32);
}

}  // namespace winnow
