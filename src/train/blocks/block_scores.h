// Judges a pack's positives by a cascade of HOG blocks. The cascade's window lies in the middle of each
// sample, and gradients at the window's edge read the pixels around the window.
//
// In:     a pack whose samples hold the window, and stages.
// Out:    for each positive, its sum and the number of stages it passes.
// Exact:  the same sums and stages that a detector computes for a window with the same pixels in and around
//         it.
// Memory: histograms of a few hundred samples per thread.
// Thread: any; more threads are used inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/hog_cascade.h>
#include <winnow/image.h>
#include <winnow/pack.h>

namespace winnow {

// Returns the square roots of the pixels of the window in the middle of a sample, with a border of one pixel.
std::vector<std::uint8_t> middle_roots(GrayView sample, Size window);

struct BlockScore {
  std::int32_t sum = 0;    // the sum after the last stage that the positive reaches
  std::size_t passed = 0;  // the number of stages that the positive passes
};

std::vector<BlockScore> judge_positives(const Pack& pack, Size window, int grid,
                                        std::span<const HogBlockStage> stages, int threads);

}  // namespace winnow
