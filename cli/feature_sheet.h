// The first features of each stage as one picture: a row a stage, a tile a feature. A tile is the window in
// grey, at least 64 pixels on its shorter side (less only where the longer one would pass 512); rectangles of
// positive sum are white, of negative sum black. LBP cells are drawn as their 3 x 3 grid. To the left of a
// row: the stage's number and how many of its features are shown.
#pragma once

#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include <cstddef>
#include <string>

#include "model_summary.h"

namespace winnow::cli {

struct FeatureSheet {
  RgbImage image;
  std::size_t stages = 0;  // how many of them fit: at most 64 million pixels are drawn
};

FeatureSheet draw_features(const CascadeModel& model, const ModelSummary& summary, const std::string& title);

}  // namespace winnow::cli
