#include <gtest/gtest.h>

#include <winnow/draw_model.h>

namespace winnow {
namespace {

// A window of one block of two by two cells. One bin of the lower right cell has a weight.
HogSvmModel one_weight(float weight, int bin, bool directed) {
  HogSvmModel model;
  model.shape = {{16, 16}, {16, 16}, {8, 8}, {8, 8}, 4, directed};
  model.weights.assign(model.shape.values(), 0);
  model.weights[static_cast<std::size_t>(12 + bin)] = weight;
  return model;
}

// The corners of the two drawings of the window, each 64 x 64 pixels.
constexpr int kTop = 16 + 40 + 26, kLeft = 16, kRight = 16 + 320 + 24;

int light(const RgbImage& image, int left, int x, int y) {
  const Rgb pixel = image.row(kTop + y)[left + x];
  return pixel.r + pixel.g + pixel.b;
}

TEST(HogSheet, StrokesLieAlongEdges) {
  // Bin 0 of 4 holds gradients of about 22.5 degrees, right and a little down. Edges of bin 0 run down and a
  // little left.
  const RgbImage image = draw_weights(one_weight(2, 0, false), "one");
  const int dark = light(image, kLeft, 5, 5);
  EXPECT_GT(light(image, kLeft, 48, 48), 500);
  EXPECT_GT(light(image, kLeft, 48 - 4, 48 + 10), 500);
  EXPECT_GT(light(image, kLeft, 48 + 4, 48 - 10), 500);
  for (const auto& [x, y] :
       {std::pair{48 + 10, 48}, {48 - 4, 48 - 10}, {48 + 4, 48 + 10}, {16, 16}, {48, 16}})
    EXPECT_EQ(light(image, kLeft, x, y), dark) << x << " " << y;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) EXPECT_EQ(light(image, kRight, x, y), dark);
}

TEST(HogSheet, WeightsBelowZeroAreInTheOtherWindow) {
  const RgbImage image = draw_weights(one_weight(-2, 0, false), "one");
  EXPECT_GT(light(image, kRight, 48, 48), 450);
  EXPECT_LT(light(image, kLeft, 48, 48), 100);
}

TEST(HogSheet, DirectedGradientsHaveHalfStrokes) {
  for (const int bin : {0, 2}) {
    const RgbImage image = draw_weights(one_weight(1, bin, true), "one");
    // Bins 0 and 2 of 4 hold opposite gradients, of about 45 and 225 degrees.
    const int side = bin == 0 ? -1 : 1;
    EXPECT_GT(light(image, kLeft, 48 + side * 8, 48 - side * 8), 500) << bin;
    EXPECT_LT(light(image, kLeft, 48 - side * 8, 48 + side * 8), 100) << bin;
  }
}

TEST(HogSheet, EveryShapeCanBeDrawn) {
  HogSvmModel model;
  for (const HogShape& shape :
       {HogShape{}, HogShape{{4096, 16}, {16, 16}, {16, 16}, {8, 8}},
        HogShape{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, HogShape{{32, 32}, {16, 16}, {4, 4}, {8, 8}},
        HogShape{{30, 30}, {10, 10}, {5, 5}, {5, 5}, 64, true}}) {
    model.shape = shape;
    model.weights.assign(shape.values(), 0);
    const RgbImage nothing = draw_weights(model, "");
    for (std::size_t i = 0; i < model.weights.size(); ++i) model.weights[i] = i % 3 == 0 ? 1.f : -1.f;
    const RgbImage image = draw_weights(model, "");
    EXPECT_EQ(image.size(), nothing.size());
    EXPECT_LE(image.height(), 2200);
  }
}

}  // namespace
}  // namespace winnow
