// Makes small cascades of HOG blocks for tests.
#pragma once

#include <cmath>
#include <vector>

#include <winnow/hog_cascade.h>

#include "base/random.h"

namespace winnow::sample {

// Each stage rejects about a tenth of the windows of a texture.
inline HogCascadeModel hog_cascade(Size window, int grid, int step, int stages, std::uint64_t seed) {
  winnow::Random random(seed);
  HogCascadeModel model;
  model.window = window;
  model.grid = grid;
  model.step = step;
  const int columns = window.width / grid, rows = window.height / grid;
  for (int i = 0; i < stages; ++i) {
    HogBlockStage stage;
    stage.block.cell_width = static_cast<std::uint8_t>(1 + random.below(columns / 2));
    stage.block.cell_height = static_cast<std::uint8_t>(1 + random.below(rows / 2));
    stage.block.x = static_cast<std::uint8_t>(random.below(columns - 2 * stage.block.cell_width + 1));
    stage.block.y = static_cast<std::uint8_t>(random.below(rows - 2 * stage.block.cell_height + 1));
    for (std::int16_t& weight : stage.weights) weight = static_cast<std::int16_t>(random.below(10001) - 5000);
    stage.first = static_cast<float>(-3000 - random.below(2000));
    stage.bins_per_response = static_cast<float>(kHogTableBins / 8000.0);
    for (std::int16_t& score : stage.table) score = static_cast<std::int16_t>(random.below(8193) - 4096);
    stage.min_sum = static_cast<std::int32_t>(-3500 * std::sqrt(i + 1.0));
    model.stages.push_back(stage);
  }
  model.zero = random.below(1000) - 500;
  model.card.name = "sample";
  return model;
}

inline std::vector<HogCascadeModel> hog_cascades() {
  return {hog_cascade({64, 128}, 4, 8, 40, 1), hog_cascade({32, 64}, 2, 4, 9, 2),
          hog_cascade({48, 96}, 8, 8, 20, 3), hog_cascade({20, 12}, 4, 4, 5, 4),
          hog_cascade({64, 64}, 8, 16, 1, 5)};
}

}  // namespace winnow::sample
