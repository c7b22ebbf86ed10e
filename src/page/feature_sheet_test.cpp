#include <gtest/gtest.h>

#include <utility>

#include <winnow/draw_model.h>

#include "page/feature_area.h"

namespace winnow {
namespace {

constexpr Rgb kWhite{255, 255, 255}, kBlack{0, 0, 0}, kGrey{150, 150, 150};

// Two stages of two stumps each, in a window of 16 x 16. One feature has two halves. The other feature is a
// tilted rectangle.
CascadeModel two_stages() {
  CascadeModel model;
  model.window = {16, 16};
  model.haar = {{{{{{2, 4, 8, 8}, -1}, {{6, 4, 4, 8}, 2}, {}}}, false},
                {{{{{8, 2, 4, 4}, 1}, {}, {}}}, true}};
  model.leaves.resize(8);
  for (std::int32_t i = 0; i < 4; ++i) {
    model.nodes.push_back({0, -1, i == 1 ? 1 : 0, 0});
    model.trees.push_back({i, 1, 2 * i});
  }
  model.stages = {{0, 2, 0}, {2, 2, 0}};
  return model;
}

TEST(FeatureArea, HaarIsTheSignOfTheSum) {
  const CascadeModel model = two_stages();
  const auto at = [&](std::int32_t feature, double x, double y) {
    return feature_area(model, feature, x, y, 0);
  };
  EXPECT_EQ(at(0, 1.9, 5), FeatureArea::kOutside);
  EXPECT_EQ(at(0, 2, 4), FeatureArea::kTakenAway);
  EXPECT_EQ(at(0, 5.9, 11.9), FeatureArea::kTakenAway);
  EXPECT_EQ(at(0, 6, 4), FeatureArea::kAdded);
  EXPECT_EQ(at(0, 10, 4), FeatureArea::kOutside);
  // The tilted rectangle extends from its topmost corner down to the right and down to the left.
  EXPECT_EQ(at(1, 8, 2.1), FeatureArea::kAdded);
  EXPECT_EQ(at(1, 11.5, 6), FeatureArea::kAdded);
  EXPECT_EQ(at(1, 4.5, 6), FeatureArea::kAdded);
  EXPECT_EQ(at(1, 11.5, 3), FeatureArea::kOutside);
}

TEST(FeatureArea, LbpHasNineCells) {
  CascadeModel model = two_stages();
  model.lbp = {{{1, 2, 3, 2}}};
  const auto at = [&](double x, double y, double line) { return feature_area(model, 2, x, y, line); };
  EXPECT_EQ(at(0.9, 3, 0), FeatureArea::kOutside);
  EXPECT_EQ(at(1, 2, 0), FeatureArea::kCornerCell);
  EXPECT_EQ(at(4, 2, 0), FeatureArea::kSideCell);
  EXPECT_EQ(at(6.9, 5.9, 0), FeatureArea::kMiddleCell);
  EXPECT_EQ(at(9.9, 7.9, 0), FeatureArea::kCornerCell);
  EXPECT_EQ(at(10, 7.9, 0), FeatureArea::kOutside);
  EXPECT_EQ(at(4.1, 2.9, 0.25), FeatureArea::kLine);
  EXPECT_EQ(at(4.3, 2.9, 0.25), FeatureArea::kSideCell);
  EXPECT_EQ(at(9.8, 2.9, 0.25), FeatureArea::kLine);
}

TEST(FeatureSheet, ARowAStageAndATileAFeature) {
  const CascadeModel model = two_stages();
  EXPECT_EQ(stage_features(model, model.stages[0]), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(stage_features(model, model.stages[1]), (std::vector<std::int32_t>{0}));
  const FeatureSheet sheet = draw_features(model, "two");
  EXPECT_EQ(sheet.stages, 2u);
  // The first tile: 64 x 64 pixels, four for each pixel of the window.
  const RgbView tile = std::as_const(sheet.image).view().crop({166, 56, 64, 64});
  EXPECT_EQ(tile.row(4 * 5)[4 * 3], kBlack);
  EXPECT_EQ(tile.row(4 * 5)[4 * 7], kWhite);
  EXPECT_EQ(tile.row(4 * 2)[4 * 7], kGrey);
  EXPECT_EQ(sheet.image.height(), 2 * 16 + 40 + 2 * 74);
}

}  // namespace
}  // namespace winnow
