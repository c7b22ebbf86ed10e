// Draws what a cascade looks at: the first features of each stage as one picture.
//
//   winnow::FeatureSheet sheet = winnow::draw_features(cascade.model(), cascade.name());
//   winnow::write_picture("features.png", std::as_const(sheet.image).view());
//
// In:     a cascade that was checked.
// Out:    a picture with a row a stage and a tile a feature.
// Exact:  the same pixels for the same cascade.
// Memory: at most 64 million pixels; further stages are left out.
// Thread: the functions may be called from any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/export.h>
#include <winnow/image.h>

namespace winnow {

// The features of a stage, each once, in the order of their first use, as `feature_number` has them.
WINNOW_API std::vector<std::int32_t> stage_features(const CascadeModel& model, const Stage& stage);

struct FeatureSheet {
  RgbImage image;
  std::size_t stages = 0;  // the number of stages that are drawn
};

// A tile is the window in grey: 64 pixels or more on the shorter side, up to 512 on the longer one.
// - Of a Haar feature, what is added is white and what is taken away is black.
// - Of an LBP feature, the 3 x 3 cells are drawn as a grid.
// - To the left of a row stand the stage's number and how many of its features are shown.
WINNOW_API FeatureSheet draw_features(const CascadeModel& model, const std::string& title);

}  // namespace winnow
