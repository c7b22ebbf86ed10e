// Checks a stage of landmarks: it learns the same for faces that are turned, and it moves samples as a fit
// does.
#include "train/landmarks/stage_learner.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

using sample::made_faces;

constexpr double kUnit = 1 << kCoordinateBits;
const std::vector<std::size_t> kNoMirror;

// Seven points around the middle of the box.
std::vector<ShapePoint> pattern() {
  return {{0.3F, 0.3F},  {0.7F, 0.35F}, {0.5F, 0.75F}, {0.4F, 0.6F},
          {0.65F, 0.6F}, {0.45F, 0.4F}, {0.5F, 0.5F}};
}

// Faces that are turned about the middle of their points. Turned back, each face differs from the mean shape
// by the same shift and the same change of two points.
struct Turned {
  FaceSet faces = made_faces(7).set;
  std::vector<ShapePoint> mean = pattern();
  FixedMean fixed = fixed_mean_of(mean);
  std::vector<std::vector<std::int32_t>> starts;

  Turned() {
    Point centre;
    for (const ShapePoint& point : mean) {
      centre.x += static_cast<double>(point.x) / 7;
      centre.y += static_cast<double>(point.y) / 7;
    }
    for (std::size_t f = 0; f < faces.faces.size(); ++f) {
      TrainingFace& face = faces.faces[f];
      const double turn = 0.13 * static_cast<double>(f), cosine = std::cos(turn), sine = std::sin(turn);
      const auto turned = [&](double x, double y) {
        return Point{centre.x + cosine * x - sine * y, centre.y + sine * x + cosine * y};
      };
      std::vector<std::int32_t> start(14);
      for (std::size_t p = 0; p < 7; ++p) {
        const double x = static_cast<double>(mean[p].x) - centre.x,
                     y = static_cast<double>(mean[p].y) - centre.y;
        const Point from = turned(x, y),
                    to = turned(x + 0.04 + (p == 1 ? 0.03 : 0), y - (p == 5 ? 0.02 : 0.01));
        start[p] = static_cast<std::int32_t>(std::lround(from.x * kUnit));
        start[7 + p] = static_cast<std::int32_t>(std::lround(from.y * kUnit));
        face.points[p] = {face.box.x + (face.box.width - 1) * to.x,
                          face.box.y + (face.box.height - 1) * to.y};
      }
      starts.push_back(std::move(start));
    }
  }
};

TEST(StageLearner, WhatIsMissingTurnsWithTheFace) {
  const Turned turned;
  std::vector<std::uint32_t> chosen(turned.faces.faces.size());
  std::iota(chosen.begin(), chosen.end(), 0U);
  for (const int basis : {0, 1, 3}) {
    LandmarkOptions options = sample::small_landmark_options();
    options.trees = options.depth = 1;
    options.rate = 1;
    options.calm = 0;
    options.basis = basis;
    SampleMemory memory(1 << 30, "");
    LandmarkSamples samples(turned.faces, kNoMirror, chosen, 1), again(turned.faces, kNoMirror, chosen, 1);
    for (LandmarkSamples* each : {&samples, &again}) {
      each->draw_boxes(options, 1);
      each->draw_starts(options, 1, turned.fixed, memory);
      for (std::size_t i = 0; i < each->count(); ++i)
        std::copy(turned.starts[i].begin(), turned.starts[i].end(), each->shape(i));
    }
    LandmarkModel model;
    model.mean = turned.mean;
    model.turned = true;
    const auto learner = make_shape_learner_cpu(2);
    StageLearner stage(samples, options, turned.fixed, *learner, 2, 1, memory);
    EXPECT_EQ(stage.values(), basis == 0 ? 14 : basis);
    EXPECT_FALSE(stage.learn(0, model, [](int) { return false; }));
    EXPECT_EQ(model.trees.stages, 0) << "a stage that was broken off leaves no trace";
    EXPECT_TRUE(std::equal(turned.starts[3].begin(), turned.starts[3].end(), samples.shape(3)));
    ASSERT_TRUE(stage.learn(0, model, [](int) { return true; }));
    std::vector<std::int32_t> truth(14);
    for (std::size_t i = 0; i < samples.count(); ++i) {
      samples.truth(i, truth.data());
      for (std::size_t c = 0; c < 14; ++c)
        EXPECT_NEAR(samples.shape(i)[c] / kUnit, truth[c] / kUnit, 2e-5) << "basis " << basis << ", " << i;
    }
    // The stage of the model moves samples to the same shapes.
    move_by_stage(again, ShapeProgram(model), 0, 2);
    for (std::size_t i = 0; i < samples.count(); ++i)
      EXPECT_TRUE(std::equal(samples.shape(i), samples.shape(i) + 14, again.shape(i))) << i;
  }
}

// The basis takes all kinds of samples, even if `kApart` divides the number of samples of a face.
TEST(StageLearner, TheBasisSeesEveryKindOfSample) {
  constexpr std::size_t kPerFace = 120, kCount = 1'000 * kPerFace, kApart = 15;
  std::array<int, kPerFace> seen{};
  for (std::size_t part = 0; part < kCount / kApart; ++part) {
    const std::size_t sample = basis_sample(1, part, kApart, kCount);
    EXPECT_EQ(sample / kApart, part);
    ++seen[sample % kPerFace];
  }
  for (const int times : seen) EXPECT_NEAR(times, 67, 33);
  EXPECT_EQ(basis_sample(1, 7, 1, 8), 7u);
  EXPECT_LT(basis_sample(1, 3, 15, 46), 46u);
}

}  // namespace
}  // namespace winnow
