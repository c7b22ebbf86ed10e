// Tests that the ranges of a plan's windows add up to the whole plan, on every backend that is here.
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "backend/ranges_for_test.h"
#include "sieve/scenes_for_test.h"

namespace winnow {
namespace {

using sample::cascade_ranges;
using sample::pipelines_here;

TEST(Ranges, OfRandomCascades) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    sample::random_scene(
        seed,
        [](sample::Random& random, Size window) {
          return Size{window.width + random.between(0, 120), window.height + random.between(0, 90)};
        },
        cascade_ranges(pipelines_here, seed));
    if (HasFatalFailure()) return;
  }
}

// Soft cascades with and without skipped windows (`skip_rule.h`), on levels of step 1 and 2.
TEST(Ranges, OfSoftCascades) { sample::soft_cascades(2, cascade_ranges(pipelines_here, 1)); }

TEST(Ranges, OfEveryKindOfFixedPoint) {
  sample::every_kind_of_fixed_point(14, {12, 12}, cascade_ranges(pipelines_here, 2));
}

TEST(Ranges, OfTrees) { sample::many_trees(4, cascade_ranges(pipelines_here, 3)); }

TEST(Ranges, OfLbp) { sample::many_grids(3, cascade_ranges(pipelines_here, 4)); }

TEST(Ranges, OfLargeWindows) { sample::large_windows(3, 60, cascade_ranges(pipelines_here, 5)); }

// Pictures without windows, with one window, and with one row or column of windows.
TEST(Ranges, OfOddSizes) { sample::odd_sizes(cascade_ranges(pipelines_here, 6)); }

TEST(Ranges, OfTheSamplesOfTheModelRoom) {
  sample::samples_of_the_model_room(cascade_ranges(pipelines_here, 7));
}

TEST(Ranges, OfHogSvms) { sample::hog_svm_ranges(pipelines_here, 8); }

TEST(Ranges, OfCascadesOfHogBlocks) { sample::hog_cascade_ranges(pipelines_here, 9); }

// A pipeline that judges nothing and records the numbers of the plans that it gets.
class Listening final : public Pipeline {
 public:
  void search(std::span<const SearchJob>) override {}
  void enqueue(const SearchRequest&, const PictureView&, PictureSource) override {}
  void collect(Detections&) override {}
  std::vector<int> numbers;

 protected:
  void sift_plan(const SearchRequest& request, const PictureView&, PictureSource,
                 SieveResult& result) override {
    numbers.push_back(request.plan_number);
    EXPECT_LT(request.plan_number, 0);
    const auto& [known, fresh] = windows_.try_emplace(request.plan_number, request.plan->window_count);
    EXPECT_EQ(known->second, request.plan->window_count);
    result = {};
    result.windows = request.plan->window_count;
  }

 private:
  std::map<int, std::int64_t> windows_;
};

// A part of a plan keeps its plan number, because a device plans again if the number changes.
TEST(Ranges, APartKeepsItsNumbers) {
  LevelPlan plan;
  plan_levels({{100, 80}, {20, 20}, 1.1, {}, {}}, plan);
  Listening pipeline;
  const auto numbers = [&](int plan_number, WindowRange range) {
    pipeline.numbers.clear();
    SieveResult result;
    pipeline.sift({{100, 80}, &plan, plan_number, 3, 0}, {}, {}, range, result);
    EXPECT_EQ(result.windows, range.last - range.first);
    return std::exchange(pipeline.numbers, {});
  };
  const std::vector<int> first = numbers(1, {3, 500}), rows = numbers(1, {0, 500});
  EXPECT_EQ(first.size(), 2u) << "it begins inside a row";
  EXPECT_EQ(rows.size(), 1u);
  EXPECT_NE(first[0], first[1]);
  EXPECT_EQ(numbers(1, {3, 500}), first);
  EXPECT_EQ(numbers(1, {0, 500}), rows);
  EXPECT_NE(numbers(2, {3, 500}), first) << "another plan";
  for (int i = 0; i < 100; ++i) {
    numbers(3, {i, 700});
    EXPECT_EQ(numbers(1, {3, 500}), first) << "in use";
  }
  EXPECT_NE(numbers(1, {0, 500}), rows) << "forgotten";
}

}  // namespace
}  // namespace winnow
