// Decides which windows of a row OpenCV's walk skips: the window after each visited window that the first
// stage rejects.
//
// In:     32 windows as bits that say "the first stage rejects this window", and whether the first window is
//         skipped.
// Out:    the skipped windows as bits, and whether the next word's first window is skipped.
// Exact:  the same windows as a walk window by window.
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
// walk skips every second window, counted from the first visited one. One subtraction walks all runs. The
// carry passes through each run that starts at an even bit, and flips the phase of the alternating pattern in
// that run.
WINNOW_HOST_DEVICE inline SkipWord skip_after_rejects(std::uint32_t rejects, bool skip_first) {
  constexpr std::uint32_t kOdd = 0xAAAAAAAAu;
  const std::uint32_t first = skip_first ? 1u : 0u;
  const std::uint32_t starts = rejects & ~first;
  const std::uint32_t phase = (((starts << 1) | kOdd) - starts) ^ kOdd;
  return {phase ^ (rejects | first), ((phase & rejects) >> 31) != 0};
}

}  // namespace winnow
