// OpenCV's walk along a row: after a window that the first stage rejects, the next one is not visited.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace winnow {

struct SkipWord {
  std::uint32_t skipped;
  bool skip_next;  // the first window of the next word
};

// `rejects`: bit i says that the first stage rejects window i if it is visited. In a run of rejects every
// second one is skipped, counted from its first visited one. Runs are walked by one subtraction: it carries
// through a run that starts at an even place and so turns the alternating pattern's phase there.
WINNOW_HOST_DEVICE inline SkipWord skip_after_rejects(std::uint32_t rejects, bool skip_first) {
  constexpr std::uint32_t kOdd = 0xAAAAAAAAu;
  const std::uint32_t first = skip_first ? 1u : 0u;
  const std::uint32_t starts = rejects & ~first;
  const std::uint32_t phase = (((starts << 1) | kOdd) - starts) ^ kOdd;
  return {phase ^ (rejects | first), ((phase & rejects) >> 31) != 0};
}

}  // namespace winnow
