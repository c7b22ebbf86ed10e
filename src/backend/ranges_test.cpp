// Tests that parts of a plan's rows add up to the whole plan, on every backend that is here.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace winnow
