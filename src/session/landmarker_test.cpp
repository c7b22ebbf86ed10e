// Tests `Landmarker`: boxes, calls of several pictures, confidence, and what it refuses.
#include <winnow/landmarker.h>

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <cmath>

#include "model/landmarks/landmark_samples_for_test.h"
#include "shape/shape_fit_for_test.h"

namespace winnow {
namespace {

using sample::random_landmarks;

// A model whose only leaf moves nothing, so that its points stay at the mean shape.
LandmarkModel still_model() {
  LandmarkModel model;
  model.mean = {{0, 0}, {1, 1}, {0.5F, 0.25F}};
  model.trees = {1, 1, 1, 1, {{0, {0, 0}}}, {{0, 0, 0}}};
  model.float_leaves.assign(12, 0);
  return model;
}

GrayImage gray(int width, int height) { return GrayImage(width, height); }

TEST(Landmarker, PointsLieInTheBox) {
  Landmarker landmarker{Landmarks(still_model())};
  const GrayImage picture = gray(50, 40);
  const std::vector<Box> boxes = {{10, 5, 21, 11}, {-7, 30, 1, 1}};
  const std::vector<Shape> shapes = landmarker.fit(picture.view(), boxes);
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(shapes[0].points, (std::vector<LandmarkPoint>{{10, 5}, {30, 15}, {20, 7.5}}));
  EXPECT_EQ(shapes[1].points, (std::vector<LandmarkPoint>{{-7, 30}, {-7, 30}, {-7, 30}}));
  EXPECT_TRUE(shapes[0].confidence.empty());
  EXPECT_EQ(shapes[0].mean_confidence(), -1);
}

TEST(Landmarker, BoxesAreMovedToTheModelsPlace) {
  LandmarkModel model = still_model();
  model.place = {2, 0.5, -0.25};
  Landmarker landmarker{Landmarks(model)};
  const GrayImage picture = gray(50, 40);
  const std::vector<Box> boxes = {{10, 10, 21, 21}};
  // The middle (20, 20) moves to (30, 15), and the side of 20 becomes 40.
  EXPECT_EQ(landmarker.fit(picture.view(), boxes)[0].points,
            (std::vector<LandmarkPoint>{{10, -5}, {50, 35}, {30, 5}}));
}

TEST(Landmarker, PicturesOfACallKeepTheirBoxes) {
  const sample::FitScene scene = sample::random_fit_scene(3, 1, 4);
  const LandmarkModel model = random_landmarks({.confidence = true}, true, 3);
  for (const BackendInfo& backend : list_backends()) {
    if (!backend.available) continue;
    Landmarker landmarker(Landmarks(model), {backend.kind, 2, {0}});
    EXPECT_EQ(landmarker.backend(), backend.kind);
    const std::vector<std::vector<Box>> boxes = {{{1, 2, 30, 30}, {5, 5, 9, 9}}, {}, {{-3, -4, 50, 40}}};
    std::vector<std::vector<Shape>> together;
    landmarker.fit(scene.pictures, boxes, together);
    ASSERT_EQ(together.size(), 3U);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      EXPECT_EQ(together[i], landmarker.fit(scene.pictures[i], boxes[i])) << i;
    EXPECT_TRUE(together[1].empty());
  }
}

TEST(Landmarker, ConfidenceIsAProbability) {
  LandmarkModel model = still_model();
  PointConfidence& confidence = model.confidence.emplace();
  confidence.trees = model.trees;
  confidence.leaves.values = 3;
  confidence.leaves.unit_bits = {4};
  confidence.leaves.numbers = {0, 0, 0, 16, -32, 0};  // equal pixels go right: the sums are 1, -2 and 0
  confidence.slope = {1, 1, 5};
  confidence.shift = {0, 1, 0};
  Landmarker landmarker{Landmarks(model)};
  const GrayImage picture = gray(50, 40);
  const std::vector<Box> boxes = {{10, 10, 21, 21}};
  const Shape shape = landmarker.fit(picture.view(), boxes)[0];
  const float one = static_cast<float>(1 / (1 + std::exp(-1.))),
              other = static_cast<float>(1 / (1 + std::exp(1.)));
  EXPECT_EQ(shape.confidence, (std::vector<float>{one, other, 0.5F}));
  EXPECT_NEAR(shape.mean_confidence(), 0.5, 1e-6);
}

TEST(Landmarker, PresenceIsTheLastNumber) {
  LandmarkModel model = still_model();
  PointConfidence& confidence = model.confidence.emplace();
  confidence.trees = model.trees;
  confidence.leaves.values = 4;
  confidence.leaves.unit_bits = {4};
  confidence.leaves.numbers = {0, 0, 0, 0, 16, -32, 0, 48};
  confidence.slope = {1, 1, 5, 0.5F};
  confidence.shift = {0, 1, 0, -1};
  const GrayImage picture = gray(50, 40);
  const std::vector<Box> boxes = {{10, 10, 21, 21}, {12, 10, 21, 21}};
  for (const BackendInfo& backend : list_backends()) {
    if (!backend.available) continue;
    Landmarker landmarker{Landmarks(model), {backend.kind, 1, {0}}};
    for (const Shape& shape : landmarker.fit(picture.view(), boxes)) {
      EXPECT_EQ(shape.confidence.size(), 3U);
      EXPECT_EQ(shape.confidence[2], 0.5F);
      EXPECT_EQ(shape.presence, static_cast<float>(1 / (1 + std::exp(-0.5))));
      EXPECT_EQ(shape.whole_confidence(), static_cast<double>(shape.presence));
    }
  }
  // A shape that is reused loses the presence that another model gave.
  std::vector<Shape> shapes(1);
  shapes[0].presence = 0.75F;
  Landmarker(Landmarks(still_model())).fit(picture.view(), std::span(boxes).first(1), shapes);
  EXPECT_EQ(shapes[0].presence, -1);
  EXPECT_EQ(shapes[0].whole_confidence(), -1);
  shapes[0].confidence = {0.25F, 0.75F};
  EXPECT_EQ(shapes[0].whole_confidence(), 0.5);
}

TEST(Landmarker, NonsenseIsRefused) {
  Landmarker landmarker{Landmarks(still_model())};
  const GrayImage picture = gray(50, 40);
  const auto code = [&](GrayView view, const Box& box) {
    try {
      landmarker.fit(view, std::vector<Box>{box});
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kIo;
  };
  EXPECT_EQ(code(picture.view(), {0, 0, 1, 1}), ErrorCode::kIo);
  EXPECT_EQ(code(picture.view(), {0, 0, 0, 5}), ErrorCode::kUsage);
  EXPECT_EQ(code(picture.view(), {0, 0, 5, -1}), ErrorCode::kUsage);
  EXPECT_EQ(code(picture.view(), {1 << 29, 0, 5, 5}), ErrorCode::kUsage);
  EXPECT_EQ(code(GrayView{nullptr, 5, 5, 5}, {0, 0, 5, 5}), ErrorCode::kUsage);
  EXPECT_EQ(code(GrayView{picture.view().data, 70000, 1, 70000}, {0, 0, 5, 5}), ErrorCode::kLimit);
  EXPECT_EQ(code(GrayView{}, {0, 0, 5, 5}), ErrorCode::kIo);  // no error: an empty picture reads as 0
  std::vector<std::vector<Shape>> shapes;
  EXPECT_THROW(landmarker.fit(std::vector<GrayView>(2), std::vector<std::vector<Box>>(1), shapes), Error);
}

}  // namespace
}  // namespace winnow
