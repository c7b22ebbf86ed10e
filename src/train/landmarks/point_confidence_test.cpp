// Checks the curves of confidence against values worked out by hand, and the confidence of a trained model
// against the points that are right.
#include "train/landmarks/point_confidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <winnow/landmarker.h>

#include "base/random.h"
#include "train/landmarks/made_faces_for_test.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

TEST(ConfidenceCurve, AllRightAndNoneRight) {
  const std::vector<double> sums(10);
  const ConfidenceCurve all = fit_curve(sums, std::vector<bool>(10, true), 1, 1);
  EXPECT_NEAR(all.slope, 0, 1e-9);
  EXPECT_NEAR(all.shift, std::log(11.0), 1e-6);  // odds of (10 + 1) to (0 + 1)
  const ConfidenceCurve none = fit_curve(sums, std::vector<bool>(10, false), 1, 1);
  EXPECT_NEAR(none.slope, 0, 1e-9);
  EXPECT_NEAR(none.shift, -std::log(11.0), 1e-6);
  // Ten outcomes of weight 1/10 count as one.
  EXPECT_NEAR(fit_curve(sums, std::vector<bool>(10, true), 0.1, 0.1).shift, std::log(2.0), 1e-6);
}

TEST(ConfidenceCurve, FindsAKnownCurve) {
  for (const double slope : {0.5, 2.0, 6.0}) {
    Random random(4, static_cast<int>(10 * slope));
    std::vector<double> sums;
    std::vector<bool> right;
    for (int i = 0; i < 40'000; ++i) {
      sums.push_back(random.real(-2, 2));
      right.push_back(random.real(0, 1) < 1 / (1 + std::exp(-(slope * sums.back() + 0.7))));
    }
    const ConfidenceCurve curve = fit_curve(sums, right, 1, 1);
    EXPECT_NEAR(curve.slope, slope, 0.05 * slope + 0.03);
    EXPECT_NEAR(curve.shift, 0.7, 0.1);
  }
}

TEST(ConfidenceCurve, AWeightIsANumberOfOutcomes) {
  const std::vector<double> sums = {-1, -0.5, 0.2, 0.4, 1, 1.5, -0.1};
  const std::vector<bool> right = {false, false, true, false, true, true, true};
  std::vector<double> many;
  std::vector<bool> many_right;
  for (int i = 0; i < 4; ++i) {
    many.insert(many.end(), sums.begin(), sums.end());
    many_right.insert(many_right.end(), right.begin(), right.end());
  }
  const ConfidenceCurve one = fit_curve(sums, right, 1, 1), four = fit_curve(many, many_right, 0.25, 0.25);
  EXPECT_GT(one.slope, 0.5);
  EXPECT_NEAR(four.slope, one.slope, 1e-6);
  EXPECT_NEAR(four.shift, one.shift, 1e-6);
}

TEST(ConfidenceCurve, OutcomesThatASumPartsGiveASteepCurve) {
  std::vector<double> sums;
  std::vector<bool> right;
  for (int i = 0; i < 200; ++i) {
    sums.push_back(i < 100 ? -1 : 1);
    right.push_back(i >= 100);
  }
  const ConfidenceCurve curve = fit_curve(sums, right, 1, 1);
  const auto at = [&](double sum) { return 1 / (1 + std::exp(-(curve.slope * sum + curve.shift))); };
  EXPECT_NEAR(at(1), 101.0 / 102, 2e-3);
  EXPECT_NEAR(at(-1), 1.0 / 102, 2e-3);
}

TEST(ConfidenceCurve, ASumNeverSpeaksAgainstItself) {
  const std::vector<double> sums = {-1, -2, -1.5, 1, 2, 0.5};
  const std::vector<bool> right = {true, true, true, false, false, true};
  const ConfidenceCurve curve = fit_curve(sums, right, 1, 1);
  EXPECT_EQ(curve.slope, 0);
  EXPECT_DOUBLE_EQ(curve.shift, std::log(5.0 / 3));
}

// Ten right outcomes of weight 1 weigh as much as thirty wrong outcomes of weight 1/3.
TEST(ConfidenceCurve, BothSidesHaveTheirWeight) {
  std::vector<bool> right(40, false);
  std::fill_n(right.begin(), 10, true);
  EXPECT_NEAR(fit_curve(std::vector<double>(40, 0), right, 1, 1.0 / 3).shift, 0, 1e-6);
  EXPECT_LT(fit_curve(std::vector<double>(40, 0), right, 1, 1).shift, -0.9);
}

// On faces that the training did not see, the mean confidence is about the fraction of points that are right.
TEST(PointConfidence, AgreesWithWhatIsRight) {
  LandmarkOptions options = sample::small_landmark_options();
  options.trees = 30;
  options.held_back = 0.5;
  options.confidence_trees = 20;
  const auto made = sample::make_faces(5, 60, 1), fresh = sample::make_faces(5, 60, 2);
  const Landmarks landmarks = train_landmarks(made->set, options, sample::landmark_run()).landmarks;
  ASSERT_TRUE(landmarks.model().confidence);
  const double distance = landmarks.model().confidence->distance;
  Landmarker landmarker(landmarks, sample::landmark_run().machine);
  double right = 0, told = 0, count = 0;
  for (const TrainingFace& face : fresh->set.faces) {
    const Picture picture = read_picture(fresh->set.pictures[face.picture]);
    const Shape shape = landmarker.fit(picture.view().gray, std::vector<Box>{face.box}).front();
    for (std::size_t p = 0; p < 5; ++p) {
      const Point at{shape.points[p].x, shape.points[p].y};
      right +=
          distance_of(at, face.points[p]) <= distance * main_length(face.points, *landmarks.model().scheme)
              ? 1
              : 0;
      told += static_cast<double>(shape.confidence[p]);
      ++count;
    }
  }
  EXPECT_GT(right, 0.1 * count);
  EXPECT_LT(right, 0.97 * count);
  EXPECT_NEAR(told / count, right / count, 0.15);
}

}  // namespace
}  // namespace winnow
