#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "group/candidates_for_test.h"
#include "group/support.h"

namespace winnow {
namespace {

using sample::below;
using sample::random_candidates;

constexpr double kNone = -std::numeric_limits<double>::infinity();

std::vector<Candidate> merged(decltype(support_ref) merge, const std::vector<Candidate>& list, double floor,
                              int min_neighbors = 0) {
  SupportScratch scratch;
  std::vector<Candidate> objects;
  merge(list, floor, min_neighbors, scratch, objects);
  return objects;
}

TEST(Support, CpuEqualsTheReference) {
  SupportScratch scratch;  // one for all seeds, so that leftovers of an earlier seed would show
  std::size_t objects_seen = 0, merged_sets = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int n = seed < 6 ? static_cast<int>(seed) : seed % 100 == 7 ? 1500 : below(random, 300);
    const std::vector<Candidate> list = random_candidates(random, n);
    const double floor = seed % 3 == 0 ? kNone : below(random, 5) - 2;
    const int min_neighbors = below(random, 4) - 1;
    std::vector<Candidate> got;
    support_cpu(list, floor, min_neighbors, scratch, got);
    ASSERT_EQ(got, merged(support_ref, list, floor, min_neighbors)) << n << " candidates";
    objects_seen += got.size();
    merged_sets += !got.empty() && got.size() < list.size() / 2;
  }
  EXPECT_GT(objects_seen, 1000u);
  EXPECT_GT(merged_sets, 20u);
}

// Windows of many sizes around one place, so that nearly all pairs support each other.
TEST(Support, CpuEqualsTheReferenceInACrowd) {
  std::mt19937 random(3);
  std::vector<Candidate> list;
  for (int i = 0; i < 400; ++i) {
    const int width = 40 + below(random, 50);
    list.push_back({{below(random, 40), below(random, 40), width, 2 * width + below(random, 3)},
                    below(random, 100) / 10.,
                    1});
  }
  for (const double floor : {kNone, -1., 0., 5.})
    EXPECT_EQ(merged(support_cpu, list, floor), merged(support_ref, list, floor)) << floor;
}

TEST(Support, TheBestSupportedBoxWins) {
  // Three boxes agree. A box with a higher score agrees with none of them.
  const std::vector<Candidate> list = {
      {{0, 0, 100, 200}, 3, 1}, {{2, 0, 100, 200}, 3, 1}, {{4, 0, 100, 200}, 3, 1}, {{0, 60, 60, 140}, 5, 1}};
  const std::vector<Candidate> objects = merged(support_cpu, list, 0);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].box, (Box{2, 0, 100, 200}));
  EXPECT_EQ(objects[0].count, 4);
  const double eighth = std::pow(98. / 102, 8);
  EXPECT_NEAR(objects[0].score, 3 + 2 * 3 * eighth, 1e-5);
  EXPECT_NEAR(merged(support_cpu, list, kNone)[0].score, 1 + 2 * eighth, 1e-5) << "all weigh 1";
}

TEST(Support, APartOfABoxIsNoObject) {
  const Box whole{10, 10, 80, 160};
  for (const auto& [part, objects] : {std::pair(Box{10, 90, 40, 80}, 1u),
                                      {Box{62, 10, 80, 160}, 2u},
                                      {Box{10, 10, 160, 320}, 1u},
                                      {Box{38, 10, 80, 160}, 2u},
                                      {Box{37, 10, 80, 160}, 1u}})
    EXPECT_EQ(merged(support_cpu, {{whole, 5, 1}, {part, 1, 1}}, 0).size(), objects) << part.x;
}

// Two boxes support each other even if their intersection is only half of their union. The second box is
// twice as wide as the first, or the first box's lower, upper or left half.
TEST(Support, HalfAnOverlapCounts) {
  const Box whole{0, 0, 40, 80};
  for (const Box& half : {Box{0, 0, 80, 80}, Box{0, 40, 40, 40}, Box{0, 0, 40, 40}, Box{0, 0, 20, 80}}) {
    for (const auto merge : {support_ref, support_cpu}) {
      const auto objects = merged(merge, {{whole, 8, 1}, {half, 4, 1}}, 0);
      ASSERT_EQ(objects.size(), 1u);
      EXPECT_EQ(objects[0].score, 8 + 4 / 256.) << half.x << "," << half.y << " " << half.width;
    }
  }
}

// A candidate's weight is its score minus the floor, at least 0. Without a floor every candidate weighs 1.
TEST(Support, ScoresCountFromTheFloor) {
  const Box box{0, 0, 40, 80};
  for (const auto& [floor, score] : {std::pair(0., 3.), {-1., 4.5}, {2.5, 0.5}, {kNone, 2.}}) {
    for (const auto merge : {support_ref, support_cpu}) {
      const auto objects = merged(merge, {{box, 3, 1}, {box, -0.5, 1}}, floor);
      ASSERT_EQ(objects.size(), 1u);
      EXPECT_EQ(objects[0].score, score) << floor;
    }
  }
}

TEST(Support, OfEqualSupportTheFirstWins) {
  const std::vector<Candidate> list = {{{0, 0, 100, 200}, 1, 1}, {{10, 0, 100, 200}, 1, 1}};
  EXPECT_EQ(merged(support_cpu, list, 0)[0].box.x, 0);
  EXPECT_EQ(merged(support_cpu, {list[1], list[0]}, 0)[0].box.x, 10);
}

TEST(Support, NeighboursAndOrder) {
  const std::vector<Candidate> list = {
      {{500, 0, 50, 100}, 9, 1}, {{0, 0, 50, 100}, 1, 1}, {{300, 0, 50, 100}, 2, 1}, {{1, 0, 50, 100}, 2, 1}};
  const auto objects = merged(support_cpu, list, 0);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].box.x, 500);
  EXPECT_EQ(objects[1].box.x, 1) << "its first candidate is the second of the list";
  EXPECT_EQ(objects[2].box.x, 300);
  ASSERT_EQ(merged(support_cpu, list, 0, 1).size(), 1u);
  EXPECT_TRUE(merged(support_cpu, list, 0, 2).empty());
}

TEST(Support, EmptyAndHugeBoxes) {
  constexpr int kHuge = 1 << 28;
  const std::vector<Candidate> list = {{{0, 0, 0, 0}, 1, 1},
                                       {{0, 0, kHuge, kHuge}, 1e300, 1},
                                       {{-kHuge, -kHuge, kHuge, kHuge}, -1e300, 1},
                                       {{1, 1, kHuge, kHuge}, 2, 1}};
  for (const double floor : {kNone, 0.}) {
    const auto objects = merged(support_cpu, list, floor);
    EXPECT_EQ(objects, merged(support_ref, list, floor));
    EXPECT_EQ(objects.size(), 3u);
  }
}

}  // namespace
}  // namespace winnow
