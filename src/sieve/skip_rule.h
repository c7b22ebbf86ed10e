// Decides which windows of a row OpenCV's walk skips: the window after each visited window that the first
// stage rejects.
//
// In:     a word with one bit per window, which says whether the first stage rejects the window; and whether
//         the first window is skipped.
// Out:    a word with a bit for each skipped window, and whether the first window of the next word is
//         skipped.
// Exact:  the same windows as a walk that decides one window after the other.
// Memory: none.
#pragma once

#include <cstdint>

#include "base/device/host_device.h"

namespace winnow {

struct SkipWord {
  std::uint32_t skipped;
  bool skip_next;  // whether the first window of the next word is skipped
};

// `rejects`: bit i says that the first stage rejects window i if the walk visits it. In a run of rejects, the
// walk visits the first window that is not skipped yet, skips the one after, visits the next, and so on. One
// subtraction does this for all runs of the word. The carry passes through each run that starts at an even
// bit, and flips the phase of the alternating pattern in that run.
WINNOW_HOST_DEVICE inline SkipWord skip_after_rejects(std::uint32_t rejects, bool skip_first) {
  constexpr std::uint32_t kOdd = 0xAAAAAAAAu;
  const std::uint32_t first = skip_first ? 1u : 0u;
  const std::uint32_t starts = rejects & ~first;
  const std::uint32_t phase = (((starts << 1) | kOdd) - starts) ^ kOdd;
  return {phase ^ (rejects | first), ((phase & rejects) >> 31) != 0};
}

}  // namespace winnow
