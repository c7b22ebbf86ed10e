#include "train/mine.h"

#include <gtest/gtest.h>
#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <cmath>
#include <set>

#include "learn/samples_for_test.h"

namespace winnow {
namespace {

const auto kGoOn = [](const Mined&) { return true; };

MineTask task_of(const Pack& pack, double noise) {
  MineTask task;
  task.window = pack.window;
  task.noise = noise;
  return task;
}

Cascade trained(const Pack& pack, int stages) {
  CascadeOptions options;
  options.negatives = 200;
  options.features_per_round = 200;
  options.form = StageOptions{.stages = stages, .max_weak = 1};  // so weak that many windows pass
  RunOptions run;
  run.machine.backend = BackendKind::kCpu;
  return train_cascade(pack, options, run).cascade;
}

TEST(Mine, FindsWhatTheDetectorTakesForAnObject) {
  const Pack pack = sample::make_sample_pack({16, 16}, 60, 6, 2);
  const Cascade cascade = trained(pack, 1);
  Mined first;
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    for (const int threads : {1, 3}) {
      Miner miner(pack, task_of(pack, 0), {backend, threads}, 1);
      Mined mined;
      miner.mine(cascade, 150, {}, kGoOn, mined);
      ASSERT_EQ(mined.places.size(), 150u);
      if (first.places.empty()) first = mined;
      EXPECT_EQ(mined.places, first.places);
      EXPECT_EQ(mined.pixels, first.pixels);
      EXPECT_EQ(mined.windows, first.windows);
    }
  }
  Detector detector(cascade, {BackendKind::kReference});
  DetectOptions raw;
  raw.raw = true;
  std::set<MinedPlace> places(first.places.begin(), first.places.end());
  EXPECT_EQ(places.size(), first.places.size()) << "each once";
  for (std::size_t i = 0; i < first.places.size(); ++i) {
    const GrayView window{first.pixels.data() + i * 256, 16, 16, 16};
    EXPECT_EQ(detector.detect(window, raw).objects.size(), 1u) << i;
  }
}

TEST(Mine, GoesOnWhereItStopped) {
  const Pack pack = sample::make_sample_pack({16, 16}, 60, 6, 2);
  const Cascade cascade = trained(pack, 1);
  Miner miner(pack, task_of(pack, 0), {BackendKind::kCpu, 2}, 1);
  Mined mined;
  miner.mine(cascade, 40, {}, kGoOn, mined);
  Miner other(pack, task_of(pack, 0), {BackendKind::kCpu, 1}, 1);
  other.set_position(miner.position());
  Mined more, same;
  miner.mine(cascade, 40, {}, kGoOn, more);
  other.mine(cascade, 40, {}, kGoOn, same);
  EXPECT_EQ(more.places, same.places);
  EXPECT_NE(more.places, mined.places);
}

// The noise is the same every time, is on some of the pictures, and leaves their content visible.
TEST(Mine, NoiseIsTheSameAgain) {
  const Pack pack = sample::make_sample_pack({16, 16}, 60, 20, 2);
  constexpr double kNoise = 0.05;
  Mined plain, first, again;
  Miner(pack, task_of(pack, 0), {BackendKind::kCpu, 1}, 1).mine({}, 400, {}, kGoOn, plain);
  Miner(pack, task_of(pack, kNoise), {BackendKind::kCpu, 1}, 1).mine({}, 400, {}, kGoOn, first);
  Miner(pack, task_of(pack, kNoise), {BackendKind::kReference, 1}, 1).mine({}, 400, {}, kGoOn, again);
  EXPECT_EQ(first.pixels, again.pixels);
  ASSERT_EQ(first.places, plain.places);
  std::set<std::uint32_t> walked, other;
  double squares = 0;
  for (std::size_t i = 0; i < plain.pixels.size(); ++i) {
    const double difference = static_cast<double>(first.pixels[i]) - plain.pixels[i];
    squares += difference * difference;
    const std::uint32_t picture = plain.places[i / 256].picture;
    walked.insert(picture);
    if (difference != 0) other.insert(picture);
  }
  EXPECT_GE(other.size(), 1u);
  EXPECT_LT(other.size(), walked.size());
  const double deviation = std::sqrt(squares / static_cast<double>(plain.pixels.size()));
  EXPECT_GT(deviation, 1);
  EXPECT_LT(deviation, 0.05 * 255);
}

// A broken picture is an error only if its windows are needed, however many pictures are searched in advance.
TEST(Mine, ABrokenPictureCountsWhenItIsNeeded) {
  Pack pack = sample::make_sample_pack({16, 16}, 60, 40, 2);
  Miner order(pack, task_of(pack, 0), {BackendKind::kCpu, 1}, 1);
  Mined first;
  order.mine({}, 8, {}, kGoOn, first);
  ASSERT_LT(first.pictures, 20u);
  std::vector<bool> walked(40);
  for (const MinedPlace& place : first.places) walked[place.picture] = true;
  for (std::size_t i = 0; i < 40; ++i) {
    if (!walked[i]) pack.negatives[i].file.resize(1);
  }
  for (const int threads : {1, 2, 16}) {
    Miner miner(pack, task_of(pack, 0), {BackendKind::kCpu, threads}, 1);
    Mined mined;
    miner.mine({}, 8, {}, kGoOn, mined);
    EXPECT_EQ(mined.places, first.places) << threads;
    EXPECT_THROW(miner.mine({}, 1000, {}, kGoOn, mined), Error);
  }
}

TEST(Mine, LeavesOutWhatIsKnownAndEndsWithTheRound) {
  const Pack pack = sample::make_sample_pack({16, 16}, 60, 2, 2);
  const Cascade cascade = trained(pack, 1);
  Miner miner(pack, task_of(pack, 0), {BackendKind::kCpu, 2}, 1);
  Mined all;
  miner.mine(cascade, 1'000'000, {}, kGoOn, all);
  EXPECT_EQ(all.pictures, 8u) << "two pictures, four ways";
  ASSERT_GT(all.places.size(), 3u);
  std::vector<MinedPlace> known(all.places.begin(), all.places.begin() + 3);
  std::sort(known.begin(), known.end());
  Mined rest;
  miner.mine(cascade, 1'000'000, known, kGoOn, rest);
  EXPECT_EQ(rest.places.size(), all.places.size() - 3);
}

}  // namespace
}  // namespace winnow
