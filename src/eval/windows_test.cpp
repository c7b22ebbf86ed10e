#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/eval.h>

#include "session/scene_for_test.h"
#include "session/upright_for_test.h"

namespace winnow {
namespace {

TEST(Windows, CountsAtDistinctScores) {
  const std::vector<double> positives{3, 5, 3}, negatives{1, 3, 2, 2};
  const WindowEvaluation e = evaluate_windows(positives, 4, negatives, 1000);
  EXPECT_EQ(e.curve, (std::vector<WindowPoint>{{5, 1, 0}, {3, 3, 1}, {2, 3, 3}, {1, 3, 4}}));
  EXPECT_DOUBLE_EQ(e.miss_rate(e.curve[0]), 0.75);
  EXPECT_DOUBLE_EQ(e.wrong_per_window(e.curve[3]), 0.004);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0), 0.75);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.00099), 0.75);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.001), 0.25);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(1), 0.25);
  EXPECT_DOUBLE_EQ(e.ends_at(), 0.004);
}

TEST(Windows, NothingPassedMissesAll) {
  const WindowEvaluation e = evaluate_windows({}, 3, {}, 10);
  EXPECT_TRUE(e.curve.empty());
  EXPECT_DOUBLE_EQ(e.ends_at(), 0);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(1), 1);
  EXPECT_TRUE(std::isnan(evaluate_windows({}, 0, {}, 10).miss_rate_at(1)));
}

TEST(Windows, WrongCountsAreRefused) {
  const std::vector<double> one{1}, none_number{std::nan("")};
  EXPECT_THROW(evaluate_windows(one, 0, {}, 0), Error);
  EXPECT_THROW(evaluate_windows({}, 0, one, 0), Error);
  EXPECT_THROW(evaluate_windows(none_number, 1, {}, 0), Error);
}

TEST(Windows, ACropIsOneWindow) {
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  const GrayImage scene = sample::make_scene({100, 60}, {{20, 10, 24, 24}, {50, 4, 48, 48}});
  const auto score = [&](const Box& box) {
    return window_score(detector, std::as_const(scene).view().crop(box));
  };
  const auto found = score({20, 10, 24, 24});
  ASSERT_TRUE(found);
  // The same window inside the picture has the same score.
  DetectOptions raw;
  raw.raw = true;
  bool met = false;
  for (const Detection& each : detector.detect(scene.view(), raw).objects)
    met = met || (each.box == Box{20, 10, 24, 24} && each.score == *found);
  EXPECT_TRUE(met);
  EXPECT_FALSE(score({0, 30, 24, 24}));
  // A crop twice as large is resized first.
  EXPECT_TRUE(score({50, 4, 48, 48}));
}

// A crop passes if its window passes in a search with the same options. Without a limit, every score passes.
TEST(Windows, ACropIsJudgedAsByASearch) {
  Detector detector(sample::upright_finder(), {BackendKind::kCpu, 1});
  const GrayImage figure = sample::upright_figure({40, 72});
  int below = 0, above = 0;
  for (int y = 0; y <= 8; y += 4) {
    for (int x = 0; x <= 8; x += 2) {
      const GrayView crop = figure.view().crop({x, y, 32, 64});
      const std::optional<double> score = window_score(detector, crop);
      ASSERT_TRUE(score);
      ++(*score < 0 ? below : above);
      EXPECT_EQ(window_score(detector, PictureView(crop), DetectOptions()).has_value(), *score >= 0);
      DetectOptions options;
      options.min_score = *score;
      EXPECT_EQ(window_score(detector, PictureView(crop), options), score);
      options.min_score = std::nextafter(*score + 1e-3, 1e9);
      EXPECT_FALSE(window_score(detector, PictureView(crop), options));
    }
  }
  EXPECT_GT(below, 0);
  EXPECT_GT(above, 0);
}

TEST(Windows, ACropOfAnotherShapeIsRefused) {
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  const GrayImage scene = sample::make_scene({100, 60}, {});
  for (const Box& box : {Box{0, 0, 23, 24}, Box{0, 0, 24, 23}, Box{0, 0, 50, 48}, Box{0, 0, 0, 0}}) {
    EXPECT_THROW(window_score(detector, std::as_const(scene).view().crop(box)), Error)
        << box.width << "x" << box.height;
  }
  EXPECT_NO_THROW(window_score(detector, std::as_const(scene).view().crop({0, 0, 49, 48})));
}

}  // namespace
}  // namespace winnow
