#include <gtest/gtest.h>

#include <winnow/draw_model.h>

#include "model/landmarks/landmark_samples_for_test.h"

namespace winnow {
namespace {

// Counts the pixels of a tile whose colour passes `is`.
template <class Is>
int count(const RgbImage& image, int column, int row, Is is) {
  int found = 0;
  for (int y = 34 + row * (260 + 22 + 12); y < 34 + row * (260 + 22 + 12) + 260; ++y)
    for (int x = 12 + column * 272; x < 12 + column * 272 + 260; ++x) found += is(image.row(y)[x]) ? 1 : 0;
  return found;
}

bool is_dot(Rgb color) { return color.r > color.b + 30; }
bool is_line(Rgb color) { return color.g > color.r + 60; }

TEST(ShapeSheet, ShowsTheMeanShapeAndFiveStages) {
  const RgbImage image =
      draw_landmarks(sample::random_landmarks({.points = 68, .stages = 9}, false, 3), "points");
  EXPECT_EQ(image.width(), 12 + 3 * 272);
  EXPECT_EQ(image.height(), 34 + 2 * (260 + 22 + 12));
  EXPECT_GT(count(image, 0, 0, is_line), 400);
  EXPECT_EQ(count(image, 0, 0, is_dot), 0);
  for (int tile = 1; tile < 6; ++tile) EXPECT_GT(count(image, tile % 3, tile / 3, is_dot), 50) << tile;
}

TEST(ShapeSheet, AModelOfOneStageHasTwoTiles) {
  LandmarkModel model;
  model.mean = {{0.5F, 0.5F}};
  model.trees = {1, 1, 3, 1, {{0, {0, 0}}, {0, {0.4F, 0.4F}}, {0, {-0.4F, 0}}}, {{0, 1, 0}}};
  model.float_leaves = {0, 0, 0, 0};
  const RgbImage image = draw_landmarks(model, "one");
  EXPECT_EQ(image.width(), 12 + 2 * 272);
  // Two dots, each 7 pixels wide. No split reads the third pixel of the model.
  const int dots = count(image, 1, 0, is_dot);
  EXPECT_GT(dots, 50);
  EXPECT_LT(dots, 100);
}

}  // namespace
}  // namespace winnow
