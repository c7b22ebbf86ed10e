// The form of a HOG SVM that every backend computes with: tables, and weights in fixed point.
//
// In:     a checked model.
// Out:    tables for the pixels of a block, and weights for a window's blocks as 16-bit numbers.
// Exact:  made once on the host and used by all backends.
// Memory: owns its lists.
// Thread: any number of threads may read one `HogForm`.
//
// A window's score is whole * 2^-score_bits + bias. `whole` is a sum over the window's blocks. Each block
// gives the sum of its values times weights, both whole numbers, shifted right by `shift`. The vector of a
// block's values is at most 1 long. So sums within a block, and sums of blocks, fit 32 bits for every picture
// and are exact in any order.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/hog.h>

namespace winnow {

inline constexpr int kHogValueBits = 15;

struct HogForm {
  HogShape shape;
  float pixel[256];  // a pixel's value: itself or its square root
  float bins_per_degree = 0;
  // Weights of a block's pixels for its columns and rows of cells: across[column * block.width + x] and
  // down[row * block.height + y]. A pixel's weight for a cell is the product of both.
  std::vector<float> across, down;
  float length_offset = 0;  // added to the length by which a block's sums are divided, so that faint blocks
                            // stay faint
  float clip = 0;
  int weight_bits = 0, shift = 0, score_bits = 0;
  std::vector<std::int16_t> weights;  // in the model's order
  double bias = 0;

  double score(std::int32_t whole) const;
  // The least `whole` whose score is at least `min_score`. If there is none, the largest 32-bit number plus
  // 1.
  std::int64_t min_sum(double min_score) const;
};

HogForm make_hog_form(const HogSvmModel& model);

}  // namespace winnow
