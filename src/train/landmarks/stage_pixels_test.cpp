// Checks the pixels of a stage: where they are drawn, and how samples' pixels are gathered.
#include "train/landmarks/stage_pixels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "shape/shape_turn.h"
#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

TEST(StagePixels, LieAroundPointsAndHangOnTheNearest) {
  const std::vector<ShapePoint> mean = {{0, 0}, {1, 0}, {0.5F, 0.75F}};
  constexpr double kRadius = 0.7;
  const StagePixels drawn = draw_pixels(mean, 3000, kRadius, 7, 2);
  ASSERT_EQ(drawn.list.size(), 3000u);
  std::vector<int> of_point(3);
  int near = 0, beyond = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    const ShapePixel& pixel = drawn.list[i];
    EXPECT_EQ(drawn.pixels.point[i], pixel.point);
    EXPECT_EQ(drawn.pixels.x[i], pixel.offset.x);
    EXPECT_EQ(drawn.pixels.y[i], pixel.offset.y);
    EXPECT_NEAR(mean[pixel.point].x + pixel.offset.x, drawn.places[i].x, 1e-6);
    EXPECT_NEAR(mean[pixel.point].y + pixel.offset.y, drawn.places[i].y, 1e-6);
    const auto away = [&](std::size_t p) {
      return std::hypot(drawn.places[i].x - mean[p].x, drawn.places[i].y - mean[p].y);
    };
    EXPECT_LE(away(pixel.point), kRadius * 1.0001);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_LE(away(pixel.point), away(p) + 1e-6F);
    ++of_point[pixel.point];
    near += away(pixel.point) < kRadius / 2 ? 1 : 0;
    beyond += drawn.places[i].x < -0.35F ? 1 : 0;
  }
  for (const int count : of_point) EXPECT_GT(count, 800);
  // The density is even, and a quarter of a disc lies within half of its radius. A pixel is drawn
  // around one point, but belongs to its nearest point. So its distance can only become smaller.
  EXPECT_GT(near, 750);
  EXPECT_GT(beyond, 100) << "pixels lie on all sides";
  EXPECT_LT(beyond, 300);
  EXPECT_EQ(draw_pixels(mean, 3000, kRadius, 7, 2).list, drawn.list);
  EXPECT_NE(draw_pixels(mean, 3000, kRadius, 7, 3).list, drawn.list);
  EXPECT_NE(draw_pixels(mean, 3000, kRadius, 8, 2).list, drawn.list);
}

TEST(StagePixels, DensityIsEvenAroundOnePoint) {
  const StagePixels drawn = draw_pixels({{0.5F, 0.5F}}, 8000, 0.4, 1, 0);
  int half = 0, right = 0, above = 0;
  for (const ShapePixel& pixel : drawn.list) {
    half += std::hypot(pixel.offset.x, pixel.offset.y) < 0.2F ? 1 : 0;
    right += pixel.offset.x > 0 ? 1 : 0;
    above += pixel.offset.y < 0 ? 1 : 0;
  }
  EXPECT_NEAR(half, 2000, 150);
  EXPECT_NEAR(right, 4000, 200);
  EXPECT_NEAR(above, 4000, 200);
}

TEST(StagePixels, ValuesChangeByFactorsFromStageToStage) {
  EXPECT_DOUBLE_EQ(at_stage(0.4, 0.1, 0, 3), 0.4);
  EXPECT_DOUBLE_EQ(at_stage(0.4, 0.1, 1, 3), 0.2);
  EXPECT_DOUBLE_EQ(at_stage(0.4, 0.1, 2, 3), 0.1);
  EXPECT_DOUBLE_EQ(at_stage(0.4, 0.1, 0, 1), 0.4) << "a single stage is the first";
}

TEST(StagePixels, GathersPixelByPixel) {
  const FaceSet& faces = sample::made_faces().set;
  std::vector<std::uint32_t> chosen(faces.faces.size());
  std::iota(chosen.begin(), chosen.end(), 0U);
  const std::vector<std::size_t> mirrored = {3, 2, 1, 0, 4};
  const std::vector<ShapePoint> mean = mean_shape(faces, mirrored, chosen);
  const FixedMean fixed = fixed_mean_of(mean);
  SampleMemory memory(1 << 30, "");
  LandmarkSamples samples(faces, mirrored, chosen, 5);
  samples.draw_boxes({}, 1);
  samples.draw_starts({}, 2, fixed, memory);
  const StagePixels pixels = draw_pixels(mean, 30, 0.3, 1, 0);
  std::vector<std::uint8_t> wanted(30 * samples.count()), row(30);
  for (std::size_t i = 0; i < samples.count(); ++i) {
    const Picture picture = read_picture(faces.pictures[faces.faces[samples[i].face].picture]);
    const ShapeTurn turn = turn_of_shape(fixed, samples.shape(i), 5);
    read_sample_pixels(picture.view().gray, samples[i], samples.shape(i), 5, turn, pixels.pixels, 30,
                       row.data());
    for (std::size_t p = 0; p < 30; ++p) wanted[p * samples.count() + i] = row[p];
  }
  for (const int threads : {1, 3}) {
    std::vector<std::uint8_t> got(wanted.size(), 1);
    gather_pixels(samples, fixed, pixels, threads, got.data());
    EXPECT_EQ(got, wanted) << threads;
  }
}

}  // namespace
}  // namespace winnow
