#include <algorithm>

#include "primitives/reduce.h"

namespace winnow {

std::uint64_t sum_ref(std::span<const std::uint32_t> values) {
  std::uint64_t sum = 0;
  for (const std::uint32_t v : values) sum += v;
  return sum;
}

Extremes extremes_ref(std::span<const std::uint32_t> values) {
  Extremes e;
  for (const std::uint32_t v : values) {
    e.least = std::min(e.least, v);
    e.largest = std::max(e.largest, v);
  }
  return e;
}

}  // namespace winnow
