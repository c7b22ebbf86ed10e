#include "train/prune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <winnow/cascade_model.h>

namespace winnow {
namespace {

struct Limits {
  std::vector<std::int32_t> limits;
  std::vector<std::uint8_t> alive;
};

Limits prune(const std::vector<std::vector<std::int32_t>>& scores, std::size_t positives, double min_hit) {
  Pruner pruner(scores.back(), positives, min_hit);
  Limits run;
  for (const auto& now : scores) run.limits.push_back(pruner.next(now));
  run.alive = pruner.alive();
  return run;
}

TEST(Pruner, LosesNothingIfItMayNot) {
  const std::vector<std::vector<std::int32_t>> scores{{5, -3, 2, 9, -9}, {7, 4, 1, -50'000, 0}};
  const Limits run = prune(scores, 3, 1);
  // The slack below the least positive is 9/10 of kScoreUnit after 30 weak classifiers. It nears 9/5.
  EXPECT_EQ(run.limits, (std::vector<std::int32_t>{-3 - 7372 / 31, 1 - 7372 * 2 / 32}));
  EXPECT_EQ(run.alive, (std::vector<std::uint8_t>{1, 1, 1, 0, 1}));
}

TEST(Pruner, WhoIsAtTheLimitGoesOn) {
  const Limits run = prune({{0, -237, -238}}, 1, 1);
  EXPECT_EQ(run.limits, std::vector<std::int32_t>{-237});
  EXPECT_EQ(run.alive, (std::vector<std::uint8_t>{1, 1, 0}));
}

TEST(Pruner, JoinedCascadesHaveLooseLimitsLate) {
  const std::vector<std::int32_t> scores{0};
  Pruner alone(scores, 1, 1), three(scores, 1, 1, {3, 900}), two(scores, 1, 1, {2, 50});
  for (int weak = 1; weak <= 300; ++weak) {
    const auto late = [&](int most, int from) {
      return weak <= from ? 0 : most * kScoreUnit * (weak - from) / (weak - from + from / 2);
    };
    const std::int32_t slack = 7372 * weak / (weak + 60);
    EXPECT_EQ(alone.next(scores), -7372 * weak / (weak + 30)) << weak;
    // A difference of one unit is allowed, since each term is rounded.
    EXPECT_NEAR(three.next(scores), -slack - late(12, 200), 1) << weak;
    EXPECT_NEAR(two.next(scores), -slack - late(8, 12), 1) << weak;
  }
}

// If 100 positives may be lost, a joined cascade gives up 20 from the start, and half of the other 80 within
// four weak classifiers.
TEST(Pruner, JoinedCascadesGiveUpSooner) {
  constexpr int kPositives = 1000;
  std::vector<std::int32_t> scores(kPositives);
  for (int i = 0; i < kPositives; ++i) scores[static_cast<std::size_t>(i)] = 100 * kScoreUnit * i;
  const auto lost_after = [&](int weak, JoinShape joined) {
    Pruner pruner(scores, kPositives, 0.9, joined);
    pruner.next(scores, weak);
    return kPositives - std::count(pruner.alive().begin(), pruner.alive().end(), 1);
  };
  EXPECT_EQ(lost_after(4, {2, 900}), 20 + 40);
  EXPECT_EQ(lost_after(16, {}), 50 + 25);
}

TEST(Pruner, CountsWeakClassifiersNotStages) {
  const std::vector<std::int32_t> scores{0};
  Pruner one_by_one(scores, 1, 1), in_threes(scores, 1, 1);
  for (int weak = 1; weak <= 30; ++weak) {
    const std::int32_t limit = one_by_one.next(scores);
    if (weak % 3 == 0) {
      EXPECT_EQ(in_threes.next(scores, 3), limit);
    }
  }
}

// The scores are random walks, so wide that the slack is negligible.
TEST(Pruner, LosesAsManyAsItMay) {
  std::mt19937 random(5);
  constexpr std::size_t kPositives = 1000, kSamples = 3000, kWeak = 60;
  std::vector<std::vector<std::int32_t>> scores(kWeak, std::vector<std::int32_t>(kSamples));
  for (std::size_t i = 0; i < kSamples; ++i) {
    std::int32_t sum = 0;
    for (std::size_t w = 0; w < kWeak; ++w)
      scores[w][i] = sum +=
          1000 * (static_cast<std::int32_t>(random() % 1001) - (i < kPositives ? 470 : 530));
  }
  double before = 1;
  for (const double min_hit : {1., 0.99, 0.95, 0.8}) {
    const Limits run = prune(scores, kPositives, min_hit);
    const auto passed = std::count(run.alive.begin(), run.alive.begin() + kPositives, 1);
    EXPECT_GE(passed, min_hit * kPositives);
    EXPECT_LE(passed, (min_hit + (1 - min_hit) * 0.7) * kPositives) << "most of what may be lost is used";
    const auto wrong = static_cast<double>(std::count(run.alive.begin() + kPositives, run.alive.end(), 1));
    EXPECT_LT(wrong / (kSamples - kPositives), before);
    before = wrong / (kSamples - kPositives);
  }
}

TEST(Pruner, AlwaysKeepsOne) {
  const Limits run = prune({{1, 2}, {3, 4}}, 2, 0.51);
  EXPECT_EQ(std::count(run.alive.begin(), run.alive.end(), 1), 2);
  const Limits one = prune({{1}, {2}}, 1, 0.6);
  EXPECT_EQ(one.alive[0], 1);
}

}  // namespace
}  // namespace winnow
