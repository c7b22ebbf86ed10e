// Divides a count by a count.
#pragma once

#include <cstdint>
#include <limits>

namespace winnow {

// Returns NaN if `whole` is not above 0.
inline double ratio(std::int64_t count, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(count) / static_cast<double>(whole)
                   : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace winnow
