#include <gtest/gtest.h>
#include <winnow/detector.h>
#include <winnow/train.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "learn/samples_for_test.h"

namespace winnow {
namespace {

using sample::draw_object;
using sample::make_noise;
using sample::make_sample_pack;

// A training with 200 positives and 50 negatives must need few weak classifiers and few mined windows. Its
// cascade must reach a recall of 0.95 with at most one false positive per ten pictures.
class Newcomer : public ::testing::TestWithParam<unsigned> {};
TEST_P(Newcomer, GetsAUsableCascade) {
  const Pack pack = make_sample_pack({24, 24}, 200, 50, GetParam(), {320, 240});
  CascadeOptions options;
  options.features_per_round = 4000;
  RunOptions run;
  run.machine.backend = BackendKind::kCpu;
  const TrainResult result = train_cascade(pack, options, run);
  Detector detector(result.cascade, {BackendKind::kCpu});
  int objects = 0, found = 0, wrong = 0;
  constexpr int kPictures = 40;
  for (unsigned p = 0; p < kPictures; ++p) {
    std::mt19937 random(p + 500);
    GrayImage picture = make_noise({320, 240}, p + 9000);
    std::vector<Box> truth;
    for (int k = 0; k < 3; ++k) {
      const int side = 26 + static_cast<int>(random() % 40);
      truth.push_back(
          {k * 104 + static_cast<int>(random() % 30), static_cast<int>(random() % 160), side, side});
      draw_object(picture.view(), truth.back(), random);
    }
    std::vector<bool> hit(truth.size());
    for (const Detection& detection : detector.detect(picture.view()).objects) {
      bool right = false;
      for (std::size_t t = 0; t < truth.size(); ++t) {
        const Box& a = detection.box;
        const Box both{std::max(a.x, truth[t].x), std::max(a.y, truth[t].y),
                       std::min(a.x + a.width, truth[t].x + truth[t].width) - std::max(a.x, truth[t].x),
                       std::min(a.y + a.height, truth[t].y + truth[t].height) - std::max(a.y, truth[t].y)};
        if (both.width <= 0 || both.height <= 0) continue;
        const double shared = both.width * both.height;
        if (shared / (a.width * a.height + truth[t].width * truth[t].height - shared) < 0.5 || hit[t])
          continue;
        right = hit[t] = true;
        break;
      }
      wrong += right ? 0 : 1;
    }
    objects += static_cast<int>(truth.size());
    found += static_cast<int>(std::count(hit.begin(), hit.end(), true));
  }
  EXPECT_GE(found, objects * 0.95) << found << " of " << objects;
  EXPECT_LE(wrong, kPictures / 10);
  int weak = 0;
  std::int64_t mined = 0;
  for (const TrainedStage& stage : result.stages) weak += stage.weak, mined += stage.mined_windows;
  // Ten to thirteen weak classifiers and 85 to 113 million windows are usual.
  EXPECT_LE(weak, 25);
  EXPECT_LE(mined, 200'000'000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Newcomer, ::testing::Values(1, 2, 3, 4, 5, 6));

}  // namespace
}  // namespace winnow
