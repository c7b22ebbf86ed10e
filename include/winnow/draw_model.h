// Draws what models look at: features of a cascade, weights of a HOG SVM, blocks of a cascade of HOG blocks,
// mean shape and pixels of landmarks. `draw_model` (inspect.h) draws a model of any kind.
//
//   winnow::FeatureSheet sheet = winnow::draw_features(cascade.model(), cascade.name());
//   winnow::write_picture("features.png", std::as_const(sheet.image).view());
//
// In:     a model that `Cascade`, `HogSvm`, `HogCascade` or `Landmarks` has checked; it is not copied.
// Out:    a picture; `stage_features` gives numbers of features.
// Exact:  the same pixels for the same model.
// Memory: the result belongs to the caller. At most 64 million pixels are drawn; further stages of a cascade
//         are left out.
// Thread: any thread may call the functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/export.h>
#include <winnow/hog.h>
#include <winnow/hog_cascade.h>
#include <winnow/image.h>
#include <winnow/landmarks.h>

namespace winnow {

// The numbers of a stage's features (`feature_number`), each once, in the order of their first use.
WINNOW_API std::vector<std::int32_t> stage_features(const CascadeModel& model, const Stage& stage);

struct FeatureSheet {
  RgbImage image;
  std::size_t stages = 0;  // the number of stages that are drawn
};

// Draws a title, and below the title one row of tiles for each stage. A row shows the first features of its
// stage, one per tile. A row has at most 4 to 12 tiles; the narrower the tiles, the more. A tile shows the
// window in grey. A tile's shorter side has 64 pixels or more, unless its longer side would exceed 512
// pixels.
// - A Haar feature has white areas that are added, and black areas that are subtracted.
// - An LBP feature is a grid of 3 x 3 cells.
// - To the left of a row stand the stage's number from 0 and how many of its features are shown.
WINNOW_API FeatureSheet draw_features(const CascadeModel& model, const std::string& title);

// Draws the window twice, side by side: edges that raise a window's score, and edges that lower the score. A
// stroke lies along an edge, in the middle of a cell. The brighter the stroke, the larger the sum of the
// weights that all blocks give to this edge. Both windows use one scale of brightness. If the model
// distinguishes opposite gradients, a stroke is half as long, from the middle of the cell to one end.
WINNOW_API RgbImage draw_weights(const HogSvmModel& model, const std::string& title);

// `model` must be one that `HogCascade` takes. The picture shows the window 13 times, on the model's mean
// positive with full contrast, or on a plain ground if the model has no mean.
// - On the left: all blocks as a heat map. The more the blocks over a cell change the score, the more
//   coloured the cell is. A block's change is the spread of the scores in its table. The change is divided
//   among the block's four cells in proportion to the squares of their weights.
// - On the right: the first 12 blocks, each in a window of its own, as a frame around its two by two cells. A
//   stroke in a cell lies along an edge that raises the score. The larger the edge's weight, the brighter the
//   stroke.
WINNOW_API RgbImage draw_blocks(const HogCascadeModel& model, const std::string& title);

// `model` must be one that `Landmarks` takes. The picture shows the mean shape, then the pixels that stages
// read, for up to five stages. The more splits of a stage read a pixel, the larger and brighter its dot.
WINNOW_API RgbImage draw_landmarks(const LandmarkModel& model, const std::string& title);

}  // namespace winnow
