// Compares fitters of the host with `reference`, and `reference` with numbers worked out by hand.
#include "shape/shape_fit.h"

#include <gtest/gtest.h>

#include "base/simd_for_test.h"
#include "shape/shape_fit_for_test.h"

namespace winnow {
namespace {

using namespace sample;

// A model with one point in the middle of the box. Its only stage has one tree of depth 1, which compares the
// point's own pixel with the pixel two tenths of the box to the right.
LandmarkModel hand_made_model() {
  LandmarkModel model;
  model.mean = {{0.5F, 0.5F}};
  model.trees = {1, 1, 2, 1, {{0, {0, 0}}, {0, {0.2F, 0}}}, {{0, 1, 10.5F}}};
  model.float_leaves = {0.25F, -0.125F, 0.5F, 0.0625F};
  return model;
}

TEST(ShapeFit, GoesLeftAboveTheThresholdAndAddsTheLeaf) {
  std::vector<std::uint8_t> pixels(121, 0);
  FitScene scene;
  scene.pictures.push_back({pixels.data(), 11, 11, 11});
  scene.tasks.push_back({0, placed_box({0, 0, 11, 11}, {})});
  const auto fitter = make_shape_fitter_ref(program_of(hand_made_model()));
  pixels[5 * 11 + 5] = 11;
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{0.75, 0.375}));
  pixels[5 * 11 + 5] = 10;
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{1.0, 0.5625}));
  pixels[5 * 11 + 5] = 200;
  pixels[5 * 11 + 7] = 190;
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{1.0, 0.5625}));
}

TEST(ShapeFit, PixelsOutsideOfThePictureAreZero) {
  std::vector<std::uint8_t> pixels(121, 255);
  FitScene scene;
  scene.pictures.push_back({pixels.data(), 11, 11, 11});
  scene.tasks.push_back({0, placed_box({4, 0, 11, 11}, {})});  // the right pixel lies at column 11, outside
  const auto fitter = make_shape_fitter_ref(program_of(hand_made_model()));
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{0.75, 0.375}));
  scene.tasks[0].box.left = 3;
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{1.0, 0.5625}));
}

// The second stage reads its pixel where the first stage moved and turned the shape.
TEST(ShapeFit, PixelsFollowTheShape) {
  LandmarkModel model;
  model.mean = {{0.25F, 0.5F}, {0.75F, 0.5F}};
  model.trees.stages = 2;
  model.trees.trees = model.trees.depth = 1;
  model.trees.pixels = 2;
  // The offset points to the right. After a quarter turn it points down.
  model.trees.pixel_list = {{0, {0, 0}}, {0, {0, 0}}, {0, {0.25F, 0}}, {0, {0, 0}}};
  model.trees.splits = {{0, 1, 0}, {0, 1, 100}};
  // The first stage turns the pair by 90 degrees about its middle.
  model.float_leaves = {9, 9, 9, 9, 0.25F, -0.25F, -0.25F, 0.25F, 1, 1, 1, 1, 0, 0, 0, 0};
  std::vector<std::uint8_t> pixels(41 * 41, 0);
  FitScene scene;
  scene.pictures.push_back({pixels.data(), 41, 41, 41});
  scene.tasks.push_back({0, placed_box({0, 0, 41, 41}, {})});
  const auto fitter = make_shape_fitter_ref(program_of(model));
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{0.5, 0.5, 0.25, 0.75}));
  pixels[20 * 41 + 20] = 150;  // point 0 now lies at (20, 10), and its pixel ten rows below
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{1.5, 1.5, 1.25, 1.75}));
}

TEST(ShapeFit, BasisAndUnitsMakeCoordinates) {
  LandmarkModel model;
  model.mean = {{0.5F, 0.5F}};
  model.trees = {1, 1, 1, 1, {{0, {0, 0}}}, {{0, 0, 0}}};
  model.fixed_leaves.values = 2;
  model.fixed_leaves.unit_bits = {10};
  model.fixed_leaves.numbers = {0, 0, 512, -256};
  // The first vector moves x by 1/2 of a unit, the second moves x by 1/4 and y by 1.
  model.fixed_leaves.basis = {1 << 13, 0, 1 << 12, 1 << 14};
  const std::vector<std::uint8_t> pixels(4, 0);
  FitScene scene;
  scene.pictures.push_back({pixels.data(), 2, 2, 2});
  scene.tasks.push_back({0, placed_box({0, 0, 2, 2}, {})});
  const auto fitter = make_shape_fitter_ref(program_of(model));
  EXPECT_EQ(fitted(*fitter, scene).coordinates, (std::vector<double>{0.5 + 0.25 - 0.0625, 0.5 - 0.25}));
}

// Both stages add a step to the right. The first stage also turns the pair of points by 90 degrees. So the
// second step goes down. It is as long as the first step, although the pair has shrunk to half of its size.
TEST(ShapeFit, StepsTurnWithTheShape) {
  LandmarkModel model;
  model.mean = {{0.25F, 0.5F}, {0.75F, 0.5F}};
  model.trees.stages = 2;
  model.trees.trees = model.trees.pixels = model.trees.depth = 1;
  model.trees.pixel_list = {{0, {0, 0}}, {0, {0, 0}}};
  model.trees.splits = {{0, 0, 0}, {0, 0, 0}};
  model.fixed_leaves.values = 4;
  model.fixed_leaves.unit_bits = {8, 8};
  model.fixed_leaves.numbers = {0, 0, 0, 0, 64, -32, -64, 32, 0, 0, 0, 0, 16, 0, 16, 0};
  const std::vector<std::uint8_t> pixels(4, 0);
  FitScene scene;
  scene.pictures.push_back({pixels.data(), 2, 2, 2});
  scene.tasks.push_back({0, placed_box({0, 0, 2, 2}, {})});
  const std::vector<double> after_one = {0.5, 0.5, 0.375, 0.625};
  const auto plus = [&](double x, double y) {
    return std::vector<double>{after_one[0] + x, after_one[1] + x, after_one[2] + y, after_one[3] + y};
  };
  EXPECT_EQ(fitted(*make_shape_fitter_ref(program_of(model)), scene).coordinates, plus(0.0625, 0));
  model.turned = true;
  EXPECT_EQ(fitted(*make_shape_fitter_ref(program_of(model)), scene).coordinates, plus(0, 0.0625));
}

// Fits a model whose only leaf moves its point in x by `number` * 2^-`bits`. Returns the point's x.
double moved(std::int16_t number, int bits) {
  LandmarkModel model;
  model.mean = {{0.5F, 0.5F}};
  model.trees = {1, 1, 1, 1, {{0, {0, 0}}}, {{0, 0, 0}}};
  model.fixed_leaves.values = 2;
  model.fixed_leaves.unit_bits = {bits};
  model.fixed_leaves.numbers = {0, 0, number, 0};
  const std::vector<std::uint8_t> pixels(4, 0);
  FitScene scene;
  scene.pictures.push_back({pixels.data(), 2, 2, 2});
  scene.tasks.push_back({0, placed_box({0, 0, 2, 2}, {})});
  return fitted(*make_shape_fitter_ref(program_of(model)), scene).coordinates[0];
}

TEST(ShapeFit, SumsAreRoundedAndKeptNearTheBox) {
  const double unit = 1.0 / (1 << kCoordinateBits);
  EXPECT_EQ(moved(1, kCoordinateBits), 0.5 + unit);
  EXPECT_EQ(moved(1, kCoordinateBits + 1), 0.5 + unit);  // half a unit is rounded up
  EXPECT_EQ(moved(-1, kCoordinateBits + 1), 0.5);
  EXPECT_EQ(moved(1, kCoordinateBits + 2), 0.5);
  EXPECT_EQ(moved(-3, kCoordinateBits + 2), 0.5 - unit);
  EXPECT_EQ(moved(7, 0), 7.5);
  EXPECT_EQ(moved(32767, 0), 8);
  EXPECT_EQ(moved(-32768, 0), -8);
}

// SIMD code reads whole vectors beyond the ends of lists, so every SIMD target is tested.
TEST(ShapeFit, CpuGivesTheBitsOfTheReference) {
  const GiveTargetBack restore;
  for (const FitCase& each : fit_cases()) {
    const SharedShapeProgram program = program_of(random_landmarks(each.sizes, each.fixed_point, 5));
    const auto reference = make_shape_fitter_ref(program);
    for (const unsigned seed : {1U, 2U, 3U}) {
      const FitScene scene = random_fit_scene(3, 20, seed);
      const FittedShapes wanted = fitted(*reference, scene);
      for (const std::string& target : simd_targets()) {
        simd_force(target);
        for (const int threads : {1, 3}) {
          const auto cpu = make_shape_fitter_cpu(program, threads);
          const FittedShapes got = fitted(*cpu, scene);
          EXPECT_EQ(got.coordinates, wanted.coordinates) << each.name << ", " << target << ", " << threads;
          EXPECT_EQ(got.confidence, wanted.confidence) << each.name << ", " << target << ", " << threads;
        }
      }
    }
  }
}

// A result does not depend on the other tasks of a call, nor on earlier calls.
TEST(ShapeFit, TasksDoNotMeet) {
  const SharedShapeProgram program = program_of(random_landmarks({.confidence = true}, true, 9));
  const FitScene scene = random_fit_scene(2, 12, 4);
  const auto cpu = make_shape_fitter_cpu(program, 2);
  const FittedShapes together = fitted(*cpu, scene);
  const std::size_t numbers = together.coordinates.size() / scene.tasks.size();
  for (std::size_t i = scene.tasks.size(); i-- > 0;) {
    FittedShapes alone;
    cpu->fit(scene.pictures, std::span(scene.tasks).subspan(i, 1), alone);
    EXPECT_TRUE(std::equal(alone.coordinates.begin(), alone.coordinates.end(),
                           together.coordinates.begin() + static_cast<std::ptrdiff_t>(i * numbers)));
  }
}

}  // namespace
}  // namespace winnow
