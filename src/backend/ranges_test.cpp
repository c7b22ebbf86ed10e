// Tests that the ranges of a plan's windows give the answer of the whole plan, on every backend that is here.
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "backend/ranges_for_test.h"
#include "hog/answers_for_test.h"
#include "hog/blocks/block_steps.h"
#include "hog/hog_steps.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "sieve/scenes_for_test.h"

namespace winnow {
namespace {

using sample::cascade_ranges;
using sample::pipeline_of;
using sample::Pipelines;
using sample::pipelines_here;
using sample::ranges_add_up;

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

// With and without the skip, on levels of step 1 and 2.
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

TEST(Ranges, OfHogSvms) {
  sample::Random random(8);
  std::uint64_t seed = 40;
  for (const HogShape& shape : sample::hog_shapes()) {
    sample::each_wide_search(
        shape, {21, 13}, seed,
        [&](const DetectorModel& model, const PictureView& picture, const LevelPlan& plan) {
          const auto reference = make_hog_sieve_ref(model);
          Pipelines pipelines = pipelines_here(model);
          const bool color = picture.color.data != nullptr;
          for (const double least : {-1e6, 0.})
            EXPECT_TRUE(ranges_add_up(*reference, pipelines, {picture, plan, least, color}, random, 4));
        });
  }
}

TEST(Ranges, OfCascadesOfHogBlocks) {
  sample::Random random(9);
  for (const HogCascadeModel& model : sample::hog_cascades()) {
    const DetectorModel detector = HogCascade(model);
    const auto reference = make_block_sieve_ref(detector);
    Pipelines pipelines = pipelines_here(detector);
    for (const Size size : {model.window, Size{157, 203}, Size{model.window.width + 1, 131}}) {
      const GrayImage picture = sample::texture(size.width, size.height, 3);
      for (const int step : {0, model.grid, 3 * model.grid}) {
        const LevelPlan plan = sample::plan_of(detector, size, step);
        for (const double least : {-1e6, 0.})
          EXPECT_TRUE(ranges_add_up(*reference, pipelines, {picture.view(), plan, least}, random, 9));
      }
    }
  }
}

// Remembers which plans it was given.
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

// A device plans anew when a plan's number is another.
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
