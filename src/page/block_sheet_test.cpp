#include <gtest/gtest.h>

#include <algorithm>

#include <winnow/draw_model.h>

namespace winnow {
namespace {

// A window of 64x64 with a block of four cells of 16x16 in its middle. One bin of the lower right cell has a
// weight.
HogCascadeModel one_block(std::int16_t weight, int bin) {
  HogCascadeModel model;
  model.window = {64, 64};
  HogBlockStage stage;
  stage.block = {4, 4, 4, 4};
  stage.weights[static_cast<std::size_t>(27 + bin)] = weight;
  for (int i = 0; i < kHogTableBins; ++i)
    stage.table[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(i * 100 - 1600);
  model.stages.push_back(stage);
  return model;
}

// A block's drawing shows the window of 64 x 64 enlarged 5 times. The drawing of all blocks is as high as two
// rows of these drawings, with their gap and one caption.
constexpr int kSide = 320, kAll = 2 * kSide + 20 + 24, kTop = 16 + 40 + 24;
constexpr int kLeft = 16, kFirst = kLeft + kAll + 20;

Rgb tile(const RgbImage& image, int x, int y) { return image.row(kTop + y)[kFirst + x]; }
Rgb all(const RgbImage& image, int x, int y) {
  return image.row(kTop + y * kAll / kSide)[kLeft + x * kAll / kSide];
}

TEST(BlockSheet, StrokesLieAlongEdgesOfTheirCell) {
  // Bin 4 holds vertical gradients, so its edges are horizontal. The cell's middle is at (40, 40) in the
  // window.
  const RgbImage image = draw_blocks(one_block(32000, 4), "one");
  const Rgb night = tile(image, 2, 2);
  EXPECT_GT(tile(image, 200, 200).r, 200);
  EXPECT_GT(tile(image, 200 - 25, 200).r, 200);
  EXPECT_GT(tile(image, 200 + 25, 200).r, 200);
  for (const auto& [x, y] : {std::pair{200, 200 - 25}, {200, 200 + 25}, {120, 200}, {120, 120}, {200, 120}})
    EXPECT_EQ(tile(image, x, y), night) << x << " " << y;
  EXPECT_EQ(tile(image, 80, 100), (Rgb{255, 255, 255})) << "the frame";
  EXPECT_EQ(tile(image, 239, 100), (Rgb{255, 255, 255}));
  EXPECT_EQ(tile(image, 79, 100), night);
  // Bin 0 holds gradients of about 10 degrees, right and a little down. Edges of bin 0 run down and a little
  // left.
  const RgbImage steep = draw_blocks(one_block(32000, 0), "one");
  EXPECT_GT(tile(steep, 200 - 4, 200 + 25).r, 150);
  EXPECT_GT(tile(steep, 200 + 4, 200 - 25).r, 150);
  EXPECT_EQ(tile(steep, 200 - 12, 200 - 25), night);
}

TEST(BlockSheet, OnlyEdgesThatRaiseTheScoreAreDrawn) {
  HogCascadeModel model = one_block(-32000, 4);
  const Rgb night = tile(draw_blocks(model, ""), 2, 2);
  EXPECT_EQ(tile(draw_blocks(model, ""), 200, 200), night);
  // A falling table reverses the sign of the weights.
  std::reverse(model.stages[0].table.begin(), model.stages[0].table.end());
  EXPECT_GT(tile(draw_blocks(model, ""), 200, 200).r, 200);
}

TEST(BlockSheet, TheMeanIsTheGround) {
  HogCascadeModel model = one_block(32000, 4);
  // The smallest value of the mean becomes black, and the largest becomes the brightest grey.
  model.mean.assign(64 * 64, 150);
  std::fill_n(model.mean.begin(), 64, std::uint8_t{200});
  std::fill_n(model.mean.begin() + 64, 64, std::uint8_t{100});
  const RgbImage image = draw_blocks(model, "one");
  EXPECT_EQ(tile(image, 300, 300), (Rgb{70, 70, 70}));
  EXPECT_EQ(tile(image, 300, 4), (Rgb{140, 140, 140}));
  EXPECT_EQ(tile(image, 300, 5), (Rgb{0, 0, 0}));
  EXPECT_EQ(all(image, 300, 300), (Rgb{115, 115, 115}));
}

TEST(BlockSheet, HeatGoesToCellsByTheirWeightsAndTables) {
  HogCascadeModel model = one_block(32000, 4);
  model.mean.assign(64 * 64, 100);
  const auto heat = [](Rgb pixel) { return pixel.r - pixel.b; };
  const RgbImage one = draw_blocks(model, "");
  EXPECT_GT(heat(all(one, 200, 200)), 100);
  EXPECT_EQ(heat(all(one, 110, 110)), 0) << "a cell without weights";
  EXPECT_EQ(heat(all(one, 20, 20)), 0);
  // A second block lies at the left top. Its scores differ an eighth as much, and its cells have a quarter of
  // the area, so its heat is half as large.
  HogBlockStage other = model.stages[0];
  other.block = {0, 0, 2, 2};
  for (std::int16_t& score : other.table) score = static_cast<std::int16_t>(score / 8);
  model.stages.push_back(other);
  const RgbImage two = draw_blocks(model, "");
  EXPECT_NEAR(heat(all(two, 60, 60)), heat(all(two, 200, 200)) / 2, 12);
  for (HogBlockStage& stage : model.stages) stage.table.fill(9);
  EXPECT_EQ(heat(all(draw_blocks(model, ""), 200, 200)), 0) << "tables that tell nothing";
}

TEST(BlockSheet, EveryShapeCanBeDrawn) {
  for (const Size window : {Size{64, 128}, Size{128, 64}, Size{16, 16}, Size{2040, 16}, Size{16, 2040}}) {
    HogCascadeModel model = one_block(0, 0);
    model.window = window;
    model.grid = 8;
    model.stages[0].block = {0, 0, 1, 1};
    model.stages.resize(30, model.stages[0]);
    const RgbImage image =
        draw_blocks(model, "a long title that does not fit into a picture of a small window");
    EXPECT_GT(image.width(), 400);
    EXPECT_LT(image.width() * image.height(), 8'000'000);
  }
}

}  // namespace
}  // namespace winnow
