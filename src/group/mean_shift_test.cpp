#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "group/candidates_for_test.h"
#include "group/mean_shift.h"

namespace winnow {
namespace {

using sample::below;
using sample::random_candidates;

std::vector<Candidate> merged(decltype(mean_shift_ref) merge, const std::vector<Candidate>& list,
                              WeightRule weight = WeightRule::kEqual, int min_neighbors = 0) {
  ShiftScratch scratch;
  std::vector<Candidate> objects;
  merge(list, weight, min_neighbors, scratch, objects);
  return objects;
}

TEST(MeanShift, CpuEqualsTheReference) {
  ShiftScratch scratch;  // one for all seeds, so that leftovers of an earlier seed would show
  std::size_t objects_seen = 0, merged_sets = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int n = seed < 6 ? static_cast<int>(seed) : seed % 100 == 7 ? 2000 : below(random, 300);
    const std::vector<Candidate> list = random_candidates(random, n);
    const WeightRule weight = seed % 2 == 0 ? WeightRule::kEqual : WeightRule::kScore;
    const int min_neighbors = below(random, 4) - 1;
    std::vector<Candidate> got;
    mean_shift_cpu(list, weight, min_neighbors, scratch, got);
    ASSERT_EQ(got, merged(mean_shift_ref, list, weight, min_neighbors)) << n << " candidates";
    objects_seen += got.size();
    merged_sets += !got.empty() && got.size() < list.size() / 4;
  }
  EXPECT_GT(objects_seen, 1000u);
  EXPECT_GT(merged_sets, 20u);
}

// The order of the list decides the order of objects and nothing else.
TEST(MeanShift, TheOrderOfCandidatesDoesNotMatter) {
  std::mt19937 random(5);
  std::vector<Candidate> list = random_candidates(random, 300);
  std::vector<Candidate> wanted = merged(mean_shift_cpu, list), got;
  std::shuffle(list.begin(), list.end(), random);
  got = merged(mean_shift_cpu, list);
  const auto by_box = [](const Candidate& a, const Candidate& b) {
    return std::tie(a.box, a.count) < std::tie(b.box, b.count);
  };
  std::sort(wanted.begin(), wanted.end(), by_box);
  std::sort(got.begin(), got.end(), by_box);
  EXPECT_EQ(got, wanted);
}

class EachForm : public testing::TestWithParam<decltype(&mean_shift_ref)> {};

TEST_P(EachForm, ATightClusterIsOneBoxAtItsMean) {
  std::vector<Candidate> list;
  for (const int x : {-2, 0, 2}) {
    for (const int y : {-3, 0, 3}) list.push_back({{100 + x, 200 + y, 64, 128}, x < 0 ? -1.0 : 1.0, 1});
  }
  for (const WeightRule weight : {WeightRule::kEqual, WeightRule::kScore}) {
    const std::vector<Candidate> objects = merged(*GetParam(), list, weight);
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0].count, 9);
    EXPECT_EQ(objects[0].score, 1);
    EXPECT_EQ((Size{objects[0].box.width, objects[0].box.height}), (Size{64, 128}));
    // By score, the three windows on the left weigh 0, and all other windows weigh the same. The mean of x is
    // then 101.
    EXPECT_EQ(objects[0].box.x, weight == WeightRule::kEqual ? 100 : 101);
    EXPECT_EQ(objects[0].box.y, 200);
  }
}

TEST_P(EachForm, FarClustersStayApart) {
  std::vector<Candidate> list;
  for (int i = 0; i < 8; ++i) {
    list.push_back({{300 + i % 3, 40, 64, 128}, 1, 1});  // the cluster on the right comes first
    list.push_back({{100 + i % 2, 40, 64, 128}, 2, 1});
    // A box three times as wide and as high as the box of the line above, with the same centre.
    list.push_back({{100 + i % 2 - 64, 40 - 128, 192, 384}, 4, 1});
  }
  const std::vector<Candidate> objects = merged(*GetParam(), list);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0], (Candidate{{301, 40, 64, 128}, 1, 8}));
  EXPECT_EQ(objects[1].count, 8);
  EXPECT_NEAR(objects[1].box.x, 100, 1);
  EXPECT_NEAR(objects[2].box.width, 192, 1);
  EXPECT_EQ(objects[2].score, 4);
}

// One bandwidth is an eighth of a side. Two windows less than two bandwidths apart have one peak between
// them. Two windows farther apart have a peak each.
TEST_P(EachForm, TwoBandwidthsDivideTwoWindows) {
  const auto pair = [](int dx, int dy) {
    return std::vector<Candidate>{{{0, 0, 80, 160}, 1, 1}, {{dx, dy, 80, 160}, 1, 1}};
  };
  EXPECT_EQ(merged(*GetParam(), pair(18, 0)), (std::vector<Candidate>{{{9, 0, 80, 160}, 1, 2}}));
  EXPECT_EQ(merged(*GetParam(), pair(22, 0)).size(), 2u);
  EXPECT_EQ(merged(*GetParam(), pair(0, 36)), (std::vector<Candidate>{{{0, 18, 80, 160}, 1, 2}}));
  EXPECT_EQ(merged(*GetParam(), pair(0, 44)).size(), 2u);
}

TEST_P(EachForm, SmallObjectsAreDropped) {
  std::vector<Candidate> list(3, Candidate{{10, 10, 30, 60}, 1, 1});
  list.push_back({{200, 10, 30, 60}, 2, 1});
  EXPECT_EQ(merged(*GetParam(), list, WeightRule::kEqual, 0).size(), 2u);
  EXPECT_EQ(merged(*GetParam(), list, WeightRule::kEqual, -5).size(), 2u);
  EXPECT_EQ(merged(*GetParam(), list, WeightRule::kEqual, 2),
            (std::vector<Candidate>{{{10, 10, 30, 60}, 1, 3}}));
  EXPECT_TRUE(merged(*GetParam(), list, WeightRule::kEqual, 3).empty());
  EXPECT_TRUE(merged(*GetParam(), {}).empty());
}

// Candidates without a weight move no other candidate. Boxes with extreme scores and corners become objects,
// each with its own box.
TEST_P(EachForm, ScoresBelowZeroDoNotPull) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double nothing : {0.0, -1.0, -infinity, nan}) {
    const std::vector<Candidate> list = {
        {{10, 10, 80, 160}, nothing, 1}, {{16, 10, 80, 160}, 2, 1}, {{500, 10, 80, 160}, nothing, 1}};
    const std::vector<Candidate> objects = merged(*GetParam(), list, WeightRule::kScore);
    ASSERT_EQ(objects.size(), 2u) << nothing;
    EXPECT_EQ(objects[0].box, (Box{16, 10, 80, 160}));
    EXPECT_EQ(objects[0].count, 2);
    EXPECT_EQ(objects[1].box, (Box{500, 10, 80, 160}));
  }
  constexpr int kFar = 1 << 28;
  const std::vector<Candidate> list = {{{-kFar, -kFar, 0, 0}, infinity, 1},
                                       {{kFar, kFar, kFar, kFar}, 1e300, 1},
                                       {{-kFar, kFar, kFar, 0}, 5e-324, 1}};
  const std::vector<Candidate> objects = merged(*GetParam(), list, WeightRule::kScore);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[1].box, (Box{kFar, kFar, kFar, kFar}));
}

INSTANTIATE_TEST_SUITE_P(MeanShift, EachForm, testing::Values(&mean_shift_ref, &mean_shift_cpu));

// Compares a step with Dalal's formula, computed with the mathematical library. For windows of 64 x 128 and
// s = width / 64, H_i is diag((8 s)^2, (16 s)^2, (log 1.3)^2). A weight is |H_i|^(-1/2) t exp(-D^2 / 2), with
// the score t (at least 0) and the distance D in bandwidths.
TEST(MeanShift, AStepIsThatOfTheFormula) {
  std::mt19937 random(9);
  for (int round = 0; round < 50; ++round) {
    std::vector<Candidate> list;
    for (int i = 0; i < 12; ++i) {
      const int width = 60 + below(random, 30);
      list.push_back(
          {{below(random, 20), below(random, 40), width, 2 * width}, below(random, 50) / 10.0 - 1, 1});
    }
    list[0].score = 1;
    ShiftSums sums;
    for (const Candidate& c : list)
      sums.add(shift_point(list[0].box, 1, WeightRule::kEqual).at,
               shift_point(c.box, c.score, WeightRule::kScore));
    const ShiftPlace next = sums.mean({});
    const auto y_of = [](const Box& box) {
      return std::array{box.x + box.width / 2.0, box.y + box.height / 2.0, std::log(box.width / 64.0)};
    };
    const auto from = y_of(list[0].box);
    std::array<double, 3> above{}, under{};
    for (const Candidate& c : list) {
      const double s = c.box.width / 64.0, t = std::max(c.score, 0.0);
      const std::array<double, 3> h = {8 * s, 16 * s, std::log(1.3)};
      const auto y = y_of(c.box);
      double d2 = 0;
      for (std::size_t i = 0; i < 3; ++i) d2 += std::pow((from[i] - y[i]) / h[i], 2);
      if (d2 >= 16) continue;
      const double w = t / (h[0] * h[1] * h[2]) * std::exp(-d2 / 2);
      for (std::size_t i = 0; i < 3; ++i) above[i] += w * y[i] / (h[i] * h[i]), under[i] += w / (h[i] * h[i]);
    }
    EXPECT_NEAR(next.x, above[0] / under[0], 1e-6);
    EXPECT_NEAR(next.y, above[1] / under[1], 1e-6);
    // The rule's size is the log of the root of the area: log(64 s * sqrt(2)).
    EXPECT_NEAR(next.size, above[2] / under[2] + std::log(64 * std::sqrt(2.0)), 1e-6);
  }
}

// Steps never lower the density whose peaks are sought, and a candidate makes a bounded number of steps.
TEST(MeanShift, EachStepClimbs) {
  std::mt19937 random(3);
  int steps = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<ShiftPoint> points;
    for (const Candidate& candidate : random_candidates(random, 60))
      points.push_back(shift_point(candidate.box, candidate.score, WeightRule::kEqual));
    // Computes the density that the steps climb. Beyond the radius, candidates add nothing, as in the steps.
    const auto density = [&](const ShiftPlace& at) {
      double sum = 0;
      for (const ShiftPoint& p : points) {
        const double d = shift_distance(at.x - p.at.x, at.y - p.at.y, at.size - p.at.size, p.across, p.down);
        if (d < kSquaredShiftRadius)
          sum += p.weight * (std::exp(-d / 2) - std::exp(-kSquaredShiftRadius / 2));
      }
      return sum;
    };
    double last = 0;
    ShiftPlace start = points.front().at;
    const auto sums_at = [&](const ShiftPlace& place) {
      const double here = density(place);
      EXPECT_GE(here, last * (1 - 1e-9));
      last = here;
      ++steps;
      ShiftSums sums;
      for (const ShiftPoint& point : points) sums.add(place, point);
      return sums;
    };
    shift_to_object(start, sums_at, [](const ShiftPlace&, double) { return -1; });
  }
  EXPECT_GT(steps, 40);
  EXPECT_LE(steps, 20 * kMostShifts);
}

TEST(MeanShift, ExponentialAndLogarithmAreTrue) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = below(random, 1'000'000) / 1e6 * 45 - 25;
    EXPECT_NEAR(shift_exp(x) / std::exp(x), 1, 1e-9) << x;
    const double number = std::ldexp(1 + below(random, 1'000'000) / 1e6, below(random, 120) - 60);
    EXPECT_NEAR(shift_log(number), std::log(number), 1e-15 * std::max(1.0, std::abs(std::log(number))));
  }
  EXPECT_EQ(shift_exp(0), 1);
  EXPECT_EQ(shift_log(1), 0);
}

// A step reads few other candidates if they are spread out, and not every pair of objects is compared.
TEST(MeanShift, SpreadOutWindowsDoNotCostTheirSquare) {
  std::mt19937 random(5);
  std::vector<Candidate> list;
  for (int i = 0; i < 20'000; ++i) {
    const int width = 20 + below(random, 20);
    list.push_back({{below(random, 20'000), below(random, 20'000), width, 2 * width}, 0, 1});
  }
  ShiftScratch scratch;
  std::vector<Candidate> objects;
  mean_shift_cpu(list, WeightRule::kEqual, 0, scratch, objects);
  EXPECT_GT(objects.size(), 10'000u);
  EXPECT_LE(scratch.comparisons, 5'000 * std::ssize(list));
}

}  // namespace
}  // namespace winnow
