#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "base/device/device_for_test.h"
#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {
namespace {

int below(std::mt19937& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// Boxes that are spread over a square, or heaped around a few places, or both. Some boxes occur twice.
std::vector<Candidate> random_candidates(std::mt19937& random, int n) {
  const int side = 1 + below(random, 3000), origin = below(random, 2) * -1500;
  const int heaps = below(random, 3) == 0 ? 0 : 1 + below(random, 12);
  const int smallest = 1 + below(random, 60), sizes = 1 + below(random, 80), wander = 1 + below(random, 12);
  std::vector<Box> places;
  for (int i = 0; i < std::max(1, heaps); ++i) {
    places.push_back({origin + below(random, side), origin + below(random, side),
                      smallest + below(random, sizes), smallest + below(random, sizes)});
  }
  std::vector<Candidate> list;
  for (int i = 0; i < n; ++i) {
    Box box;
    if (heaps > 0 && below(random, 5) != 0) {
      box = places[static_cast<std::size_t>(below(random, heaps))];
      for (int* side_of : {&box.x, &box.y, &box.width, &box.height})
        *side_of += below(random, wander) - wander / 2;
    } else {
      box = {origin + below(random, side), origin + below(random, side), smallest + below(random, sizes),
             smallest + below(random, sizes)};
    }
    if (i > 0 && below(random, 10) == 0) box = list[static_cast<std::size_t>(below(random, i))].box;
    box.width = std::max(box.width, 0);
    box.height = std::max(box.height, 0);
    list.push_back({box, below(random, 1000) / 8.0 - 60, 1});
  }
  return list;
}

std::vector<Candidate> grouped(decltype(group_ref) group, const std::vector<Candidate>& list,
                               int min_neighbors, double eps) {
  GroupScratch scratch;
  std::vector<Candidate> objects;
  group(list, min_neighbors, eps, scratch, objects);
  return objects;
}

#ifdef WINNOW_HAVE_CUDA
TEST(Group, CudaEqualsTheReference) {
  WINNOW_NEEDS_DEVICE();
  GroupScratch scratch;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int n = seed < 6         ? static_cast<int>(seed)
                  : seed % 20 == 7 ? 2048 - below(random, 3)
                  : seed % 60 == 8 ? 2049 + below(random, 3000)
                                   : below(random, 400);
    const std::vector<Candidate> list = random_candidates(random, n);
    for (const double eps : {0.0, 0.1, 0.2, 0.7, 2.0}) {
      const int min_neighbors = below(random, 5);
      std::vector<Candidate> got;
      group_cuda(list, min_neighbors, eps, scratch, got);
      ASSERT_EQ(got, grouped(group_ref, list, min_neighbors, eps))
          << "n " << n << ", eps " << eps << ", neighbours " << min_neighbors;
    }
  }
}

TEST(Group, CudaMeansFollowTheirRule) {
  WINNOW_NEEDS_DEVICE();
  std::vector<Candidate> list;
  for (int i = 0; i < 14; ++i) list.push_back({{6 + i % 2, 10, 100, 100}, 1, 1});
  for (const auto& [mean, corner] : {std::pair(MeanRule::kFloat, 7), std::pair(MeanRule::kDouble, 6)}) {
    GroupScratch scratch;
    scratch.mean = mean;
    std::vector<Candidate> objects;
    group_cuda(list, 2, 0.2, scratch, objects);
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0].box, (Box{corner, 10, 100, 100}));
  }
}

// Boxes lie along winding paths in random order, and each box is similar only to its neighbours on the path.
// Many threads join the same sets at once.
TEST(Group, CudaChainsOfManySteps) {
  WINNOW_NEEDS_DEVICE();
  GroupScratch scratch;
  // WINNOW_ROUNDS sets fewer rounds for runs under compute-sanitizer.
  const char* asked = std::getenv("WINNOW_ROUNDS");
  const unsigned rounds = asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 300;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int chains = 1 + below(random, 12), steps = 10 + below(random, 120);
    std::vector<Candidate> list;
    for (int chain = 0; chain < chains; ++chain) {
      Box box{below(random, 300), below(random, 300), 40 + below(random, 8), 40 + below(random, 8)};
      for (int step = 0; step < steps; ++step) {
        box.x += below(random, 12) - 5;
        box.y += below(random, 12) - 5;
        list.push_back({box, below(random, 1000) / 8.0, 1});
      }
    }
    std::shuffle(list.begin(), list.end(), random);
    std::vector<Candidate> got;
    group_cuda(list, 2, 0.2, scratch, got);
    ASSERT_EQ(got, grouped(group_cpu, list, 2, 0.2)) << list.size() << " boxes";
  }
}
#endif

TEST(Group, CpuEqualsTheReference) {
  GroupScratch scratch;  // one for all seeds, so that leftovers of an earlier seed would show
  std::int64_t objects_seen = 0, dropped_sets = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int n = seed < 6 ? static_cast<int>(seed) : seed % 40 == 7 ? 3000 : below(random, 400);
    const std::vector<Candidate> list = random_candidates(random, n);
    for (const double eps : {0.0, 0.1, 0.2, 0.7, 2.0}) {
      const int min_neighbors = below(random, 5);
      std::vector<Candidate> got;
      group_cpu(list, min_neighbors, eps, scratch, got);
      const std::vector<Candidate> wanted = grouped(group_ref, list, min_neighbors, eps);
      ASSERT_EQ(got.size(), wanted.size())
          << "n " << n << ", eps " << eps << ", neighbours " << min_neighbors;
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i], wanted[i]) << "object " << i << ", n " << n << ", eps " << eps;
      }
      objects_seen += static_cast<std::int64_t>(got.size());
      dropped_sets += !list.empty() && got.empty();
    }
  }
  EXPECT_GT(objects_seen, 1000);
  EXPECT_GT(dropped_sets, 10);
}

// Finds the groups of short lists by another method than `group_ref`: labels spread until no label changes.
TEST(Group, ReferenceKeepsTheDefinition) {
  int many = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int n = below(random, seed % 4 == 0 ? 1000 : 40), min_neighbors = 1 + below(random, 3);
    const std::vector<Candidate> list = random_candidates(random, n);
    std::vector<int> label(list.size());
    for (int i = 0; i < n; ++i) label[static_cast<std::size_t>(i)] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t j = 0; j < list.size(); ++j) {
          if (label[j] <= label[i] || !similar(list[i].box, list[j].box, 0.2)) continue;
          label[j] = label[i];
          changed = true;
        }
      }
    }
    // A group's label is the number of its first member. Groups come in the order of their labels.
    std::vector<Candidate> kept;
    for (int g = 0; g < n; ++g) {
      std::int64_t x = 0, y = 0, width = 0, height = 0;
      Candidate sum{{}, -1e9, 0};
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (label[i] != g) continue;
        x += list[i].box.x, y += list[i].box.y, width += list[i].box.width, height += list[i].box.height;
        sum.score = std::max(sum.score, list[i].score);
        ++sum.count;
      }
      if (sum.count <= min_neighbors) continue;
      sum.box = {group_mean(x, sum.count), group_mean(y, sum.count), group_mean(width, sum.count),
                 group_mean(height, sum.count)};
      kept.push_back(sum);
    }
    many += kept.size() > 64;
    std::vector<Candidate> wanted;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      bool gone = false;
      for (std::size_t j = 0; j < kept.size(); ++j) {
        gone |= i != j && swallowed(kept[i].box, kept[i].count, kept[j].box, kept[j].count, 0.2);
      }
      if (!gone) wanted.push_back(kept[i]);
    }
    EXPECT_EQ(grouped(group_ref, list, min_neighbors, 0.2), wanted);
  }
  EXPECT_GT(many, 0) << "sets whose groups are looked for in one another by cells";
}

class Both : public testing::TestWithParam<decltype(&group_ref)> {};

TEST_P(Both, NoNeighboursAskedForPassesCandidatesThrough) {
  std::mt19937 random(1);
  const std::vector<Candidate> list = random_candidates(random, 50);
  EXPECT_EQ(grouped(*GetParam(), list, 0, 0.2), list);
  EXPECT_EQ(grouped(*GetParam(), list, -3, 0.2), list);
  EXPECT_TRUE(grouped(*GetParam(), {}, 2, 0.2).empty());
}

TEST_P(Both, ObjectsComeInTheOrderOfTheirFirstCandidate) {
  // Three heaps whose first members come in the order right, left, middle. The middle heap is the largest.
  std::vector<Candidate> list;
  for (const int x : {500, 20, 250, 251, 19, 501, 252, 250}) list.push_back({{x, 10, 40, 40}, x / 4.0, 1});
  const std::vector<Candidate> objects = grouped(*GetParam(), list, 1, 0.2);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0], (Candidate{{500, 10, 40, 40}, 501 / 4.0, 2}));  // the mean 500.5 rounds to even
  EXPECT_EQ(objects[1], (Candidate{{20, 10, 40, 40}, 5.0, 2}));         // the mean is 19.5
  EXPECT_EQ(objects[2], (Candidate{{251, 10, 40, 40}, 63.0, 4}));       // the mean is 250.75
}

TEST_P(Both, NeighboursOfNeighboursAreOneObject) {
  // Each box is similar to the next box only.
  std::vector<Candidate> list;
  for (int i = 9; i >= 0; --i) list.push_back({{8 * i, 0, 40, 40}, 0, 1});
  const std::vector<Candidate> objects = grouped(*GetParam(), list, 9, 0.2);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].box, (Box{36, 0, 40, 40}));
  // One pixel further apart, no two boxes are similar.
  list.clear();
  for (int i = 0; i < 10; ++i) list.push_back({{9 * i, 0, 40, 40}, 0, 1});
  EXPECT_TRUE(grouped(*GetParam(), list, 1, 0.2).empty());
}

TEST_P(Both, SmallGroupInsideALargerOneGoes) {
  const auto heap = [](std::vector<Candidate>& list, const Box& box, int n) {
    for (int i = 0; i < n; ++i) list.push_back({box, 0, 1});
  };
  const Box outer{0, 0, 100, 100}, inner{30, 30, 40, 40}, sticks_out{81, 30, 40, 40};
  const auto counts = [&](const std::vector<Candidate>& list) {
    std::vector<int> out;
    for (const Candidate& o : grouped(*GetParam(), list, 1, 0.2)) out.push_back(o.count);
    return out;
  };
  std::vector<Candidate> list;
  heap(list, inner, 3), heap(list, outer, 4);
  EXPECT_EQ(counts(list), (std::vector<int>{4}));
  list.clear();
  heap(list, inner, 3), heap(list, outer, 3);  // equally many members: both stay
  EXPECT_EQ(counts(list), (std::vector<int>{3, 3}));
  list.clear();
  heap(list, inner, 2), heap(list, outer, 2);  // fewer than 3 members: the inner group is dropped
  EXPECT_EQ(counts(list), (std::vector<int>{2}));
  list.clear();
  heap(list, inner, 4), heap(list, outer, 5);
  EXPECT_EQ(counts(list), (std::vector<int>{5}));
  list.clear();
  heap(list, inner, 5), heap(list, outer, 4);
  EXPECT_EQ(counts(list), (std::vector<int>{5, 4}));
  list.clear();
  heap(list, sticks_out, 3), heap(list, outer, 9);  // 21 pixels stick out; 20 are allowed
  EXPECT_EQ(counts(list), (std::vector<int>{3, 9}));
  list.clear();
  heap(list, {80, 30, 40, 40}, 3), heap(list, outer, 9);
  EXPECT_EQ(counts(list), (std::vector<int>{9}));
}

// Sums of many large coordinates need 64 bits.
TEST_P(Both, LargeCoordinates) {
  std::vector<Candidate> list(20'000, Candidate{{1'000'000, -1'000'000, 300'000, 300'000}, 1.5, 1});
  list.resize(3000);  // few enough for n^2 comparisons
  const std::vector<Candidate> objects = grouped(*GetParam(), list, 2, 0.2);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].count, 3000);
  EXPECT_NEAR(objects[0].box.x, 1'000'000, 1);
  EXPECT_NEAR(objects[0].box.y, -1'000'000, 1);
  EXPECT_NEAR(objects[0].box.width, 300'000, 1);
}

// The mean of fourteen corners is 6.5. A float product gives more than 6.5, a double product 6.5 or less.
TEST_P(Both, MeansInDoubleRoundAsOpenCvsHog) {
  std::vector<Candidate> list;
  for (int i = 0; i < 14; ++i) list.push_back({{6 + i % 2, 10, 100, 100}, 1, 1});
  for (const auto& [mean, corner] : {std::pair(MeanRule::kFloat, 7), std::pair(MeanRule::kDouble, 6)}) {
    GroupScratch scratch;
    scratch.mean = mean;
    std::vector<Candidate> objects;
    GetParam()(list, 2, 0.2, scratch, objects);
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0].box, (Box{corner, 10, 100, 100}));
  }
}

INSTANTIATE_TEST_SUITE_P(Group, Both, testing::Values(&group_ref, &group_cpu));

// On average, a box is compared with at most two of the other boxes, not with all hundred thousand.
TEST(Group, SpreadOutBoxesDoNotCostTheirSquare) {
  std::mt19937 random(5);
  std::vector<Candidate> list;
  for (int i = 0; i < 100'000; ++i) {
    const Box box{below(random, 100'000), below(random, 100'000), 20 + below(random, 20),
                  20 + below(random, 20)};
    list.push_back({box, 0, 1});
  }
  for (std::size_t i = 0; i < 300; ++i) list.push_back(list[i * 7]);
  GroupScratch scratch;
  std::vector<Candidate> objects;
  group_cpu(list, 1, 0.2, scratch, objects);
  EXPECT_GE(objects.size(), 300u);
  EXPECT_LE(scratch.comparisons, 2 * std::ssize(list));
}

// With many objects, the search for swallowed groups must not compare all pairs of groups.
TEST(Group, ManyObjectsDoNotCostTheirSquare) {
  std::vector<Candidate> list;
  for (int i = 0; i < 30'000; ++i) {
    const Box box{i % 250 * 100, i / 250 * 100, 24, 24};
    list.push_back({box, 0, 1});
    list.push_back({box, 1, 1});
  }
  GroupScratch scratch;
  std::vector<Candidate> objects;
  group_cpu(list, 1, 0.2, scratch, objects);
  EXPECT_EQ(objects.size(), 30'000u);
  EXPECT_LE(scratch.comparisons, 2 * std::ssize(list));
}

}  // namespace
}  // namespace winnow
