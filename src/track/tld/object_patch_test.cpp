// Tests patches and their likeness.
#include "track/tld/object_patch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "track/tld/object_scene_for_test.h"

namespace winnow {
namespace {

GrayFrame noise(Size size) {
  GrayFrame frame(size);
  Random random(5);
  for (std::uint8_t& pixel : frame.pixels) pixel = static_cast<std::uint8_t>(random.below(256));
  return frame;
}

TEST(ObjectPatch, OfFifteenPixelsShrinksNothing) {
  const GrayFrame frame = noise({40, 30});
  const PatchPixels grey = shrunk_at(frame.view(), {7, 4, 15, 15});
  std::int64_t sum = 0, square = 0;
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 15; ++x) {
      const int pixel = frame.view().row(4 + y)[7 + x];
      ASSERT_EQ(grey[static_cast<std::size_t>(15 * y + x)], pixel);
      sum += pixel;
      square += std::int64_t{pixel} * pixel;
    }
  EXPECT_EQ(variance_of(grey), static_cast<double>(225 * square - sum * sum) / (225 * 225));
}

TEST(ObjectPatch, HoldsDistancesToTheMeanAbout) {
  const GrayFrame frame = noise({40, 30});
  const ObjectPatch patch = patch_at(frame.view(), {7, 4, 15, 15});
  std::int64_t all = 0, squares = 0;
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 15; ++x) {
      double sum = 0, count = 0;
      for (int j = std::max(0, y - 4); j <= std::min(14, y + 4); ++j)
        for (int i = std::max(0, x - 4); i <= std::min(14, x + 4); ++i) {
          sum += frame.view().row(4 + j)[7 + i];
          ++count;
        }
      const int mean = static_cast<int>(std::floor(sum / count + 0.5));
      const int detail = std::clamp(128 + frame.view().row(4 + y)[7 + x] - mean, 0, 255);
      ASSERT_EQ(patch.pixels[static_cast<std::size_t>(15 * y + x)], detail) << x << ", " << y;
      all += detail;
      squares += detail * detail;
    }
  EXPECT_EQ(patch.sum, all);
  EXPECT_EQ(patch.spread, 225 * squares - all * all);
}

TEST(ObjectPatch, OfALargerBoxIsMeans) {
  // Stripes of one pixel: each pixel of the patch covers two of them across.
  GrayFrame frame({60, 60});
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 60; ++x) frame.at(x, y) = static_cast<std::uint8_t>(x % 2 == 0 ? 40 : 80);
  for (const std::uint8_t pixel : shrunk_at(frame.view(), {10, 10, 30, 30})) EXPECT_EQ(pixel, 60);
}

TEST(ObjectPatch, ReadsTheMiddlesOfItsPixels) {
  GrayFrame ramp({30, 30});
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 30; ++x) ramp.at(x, y) = static_cast<std::uint8_t>(8 * x);
  const PatchPixels grey = shrunk_at(ramp.view(), {2, 2, 20, 20});
  for (int i = 0; i < 15; ++i)
    EXPECT_NEAR(grey[static_cast<std::size_t>(i)], 8 * (2 + (i + 0.5) * 20 / 15 - 0.5), 0.6) << i;
}

TEST(ObjectPatch, LeavesNoPixelsOut) {
  // A bright column in the middle of each of five columns that a pixel of the patch covers.
  GrayFrame frame({90, 90}, 50);
  for (int y = 0; y < 90; ++y)
    for (int x = 2; x < 90; x += 5) frame.at(x, y) = 200;
  for (const std::uint8_t pixel : shrunk_at(frame.view(), {5, 5, 75, 75})) {
    EXPECT_GT(pixel, 55);
    EXPECT_LT(pixel, 125);
  }
}

TEST(ObjectPatch, GoesOnBeyondTheEdge) {
  const GrayFrame frame = noise({20, 20});
  const PatchPixels grey = shrunk_at(frame.view(), {-100, 3, 15, 15});
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 15; ++x)
      EXPECT_EQ(grey[static_cast<std::size_t>(15 * y + x)], frame.view().row(3 + y)[0]);
  shrunk_at(frame.view(), {1e6, -1e6, 1e5, 1});
}

TEST(ObjectPatch, LikenessIgnoresBrightnessAndContrast) {
  const GrayFrame frame = noise({30, 30});
  const ObjectPatch patch = patch_at(frame.view(), {3, 3, 15, 15});
  GrayFrame faint = frame, inverse = frame;
  for (std::uint8_t& pixel : faint.pixels) pixel = static_cast<std::uint8_t>(40 + pixel / 4 * 2);
  for (std::uint8_t& pixel : inverse.pixels) pixel = static_cast<std::uint8_t>(255 - pixel);
  EXPECT_DOUBLE_EQ(likeness_of(patch, patch), 1);
  EXPECT_GT(likeness_of(patch, patch_at(faint.view(), {3, 3, 15, 15})), 0.999);
  EXPECT_NEAR(likeness_of(patch, patch_at(inverse.view(), {3, 3, 15, 15})), 0, 0.01);
  EXPECT_NEAR(likeness_of(patch, patch_at(frame.view(), {14, 9, 15, 15})), 0.5, 0.15);
  EXPECT_EQ(likeness_of(patch, patch_at(GrayFrame({30, 30}, 9).view(), {3, 3, 15, 15})), 0.5);
}

// A dark object in the light of a lamp beside it, and a smooth wall in the same light.
TEST(ObjectPatch, LikenessIgnoresSlowLight) {
  const Texture look(3, 2);
  GrayFrame object({15, 15}), lit = object, wall = object;
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 15; ++x) {
      const int dark = static_cast<int>(20 + look.at(x, y) / 10);
      object.at(x, y) = static_cast<std::uint8_t>(dark);
      lit.at(x, y) = static_cast<std::uint8_t>(dark + 2 * x);
      wall.at(x, y) = static_cast<std::uint8_t>(40 + 2 * x);
    }
  const auto patch = [](const GrayFrame& frame) { return patch_at(frame.view(), {0, 0, 15, 15}); };
  EXPECT_GT(likeness_of(patch(object), patch(lit)), 0.93);
  EXPECT_LT(likeness_of(patch(wall), patch(lit)), 0.7);
}

}  // namespace
}  // namespace winnow
