// Tests that parts of a plan's rows add up to the whole plan on a device.
#include <gtest/gtest.h>

#include <vector>

#include "backend/ranges_for_test.h"
#include "base/device/device_for_test.h"
#include "hog/hog_steps.h"
#include "hog/sieves_for_test.h"
#include "image/texture_for_test.h"
#include "sieve/scenes_for_test.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using sample::cascade_ranges;
using sample::parts_add_up;
using sample::pipeline_of;
using sample::Pipelines;

Pipelines device_pipelines(const DetectorModel& model) {
  Pipelines pipelines;
  pipelines.push_back(pipeline_of(BackendKind::kCuda, model));
  return pipelines;
}

// Most pictures have a few tiles per level. Some have several tiles side by side, one below the other, or
// both.
Size random_size(sample::Random& random, Size window) {
  const int kind = random.below(6);
  const int wide = window.width + random.between(0, 60), tall = window.height + random.between(0, 60);
  if (kind == 0) return {wide + random.between(150, 400), tall};
  if (kind == 1) return {wide, tall + random.between(150, 400)};
  if (kind == 2) return {wide + random.between(100, 300), tall + random.between(100, 200)};
  return {wide, tall};
}

TEST(RangesCuda, OfRandomCascades) {
  WINNOW_NEEDS_DEVICE();
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    sample::random_scene(seed, random_size, cascade_ranges(device_pipelines, seed));
    if (HasFatalFailure()) return;
  }
}

TEST(RangesCuda, OfSoftCascades) {
  WINNOW_NEEDS_DEVICE();
  sample::soft_cascades(4, cascade_ranges(device_pipelines, 1));
}

TEST(RangesCuda, OfEveryKindOfFixedPoint) {
  WINNOW_NEEDS_DEVICE();
  sample::every_kind_of_fixed_point(42, {12, 12}, cascade_ranges(device_pipelines, 2));
}

TEST(RangesCuda, OfTrees) {
  WINNOW_NEEDS_DEVICE();
  sample::many_trees(8, cascade_ranges(device_pipelines, 3));
}

TEST(RangesCuda, OfLbp) {
  WINNOW_NEEDS_DEVICE();
  sample::many_grids(8, cascade_ranges(device_pipelines, 4));
}

// Large windows have upright, tilted or LBP features, and then belong to fixed-point cascades. Windows that
// are too large for tiles are judged with planes of whole levels.
TEST(RangesCuda, OfLargeWindows) {
  WINNOW_NEEDS_DEVICE();
  sample::large_windows(8, 60, cascade_ranges(device_pipelines, 5));
  if (HasFatalFailure()) return;
  sample::every_kind_of_fixed_point(7, {110, 100}, cascade_ranges(device_pipelines, 6));
}

TEST(RangesCuda, OfOddSizes) {
  WINNOW_NEEDS_DEVICE();
  sample::odd_sizes(cascade_ranges(device_pipelines, 7));
}

TEST(RangesCuda, OfTheSamplesOfTheModelRoom) {
  WINNOW_NEEDS_DEVICE();
  sample::samples_of_the_model_room(cascade_ranges(device_pipelines, 8));
}

TEST(RangesCuda, OfHogSvms) {
  WINNOW_NEEDS_DEVICE();
  sample::hog_svm_ranges(device_pipelines, 10);
}

TEST(RangesCuda, OfCascadesOfHogBlocks) {
  WINNOW_NEEDS_DEVICE();
  sample::hog_cascade_ranges(device_pipelines, 11);
}

// Nearly every window survives: more windows than the device has room for at first.
TEST(RangesCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  const DetectorModel model =
      HogSvm(sample::random_hog({{32, 48}, {16, 16}, {8, 8}, {8, 8}, 9, false, true, 0, 0.2}, 21));
  const GrayImage picture = sample::texture(640, 480, 4);
  PlanRequest request;
  request.picture = picture.size();
  request.window = model.window();
  request.scale_factor = 1.05;
  request.rules = model.plan_rules();
  LevelPlan plan;
  plan_levels(request, plan);
  ASSERT_GT(plan.window_count, 20000);
  const auto reference = make_hog_sieve_cpu(model, 2);
  Pipelines pipelines = device_pipelines(model);
  sample::Random random(12);
  for (int round = 0; round < 3; ++round)
    EXPECT_TRUE(parts_add_up(*reference, pipelines, {picture.view(), plan, -1e6}, random, 3));
}

// Judges parts of plans as in a batch of many frames. Tiles are then higher, and another kernel judges them.
TEST(RangesCuda, PartsInBatches) {
  WINNOW_NEEDS_DEVICE();
  const auto same = [](const Cascade& cascade, const std::vector<GrayView>& pictures, double factor,
                       Size min_size) {
    const auto reference = make_sieve_ref(cascade), device = make_sieve_cuda(cascade, 0, 320);
    LevelPlan plan;
    plan_levels({pictures[0].size(), cascade.window(), factor, min_size, {}}, plan);
    sample::Random random(static_cast<std::uint64_t>(plan.window_count));
    PlanPart part;
    SieveResult wanted, got;
    for (const sample::RowsOfLevels& rows : sample::random_parts(random, plan, 5)) {
      cut_plan(plan, rows, part);
      if (part.windows.window_count == 0) continue;
      reference->run(pictures[0], part.windows, wanted);
      device->run(pictures[0], part.windows, got);
      if (const std::string what = sample::difference(wanted, got); !what.empty())
        return testing::AssertionFailure()
               << part.windows.window_count << " of " << plan.window_count << " windows: " << what;
    }
    return testing::AssertionSuccess();
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    sample::random_scene(seed, random_size, same);
    if (HasFatalFailure()) return;
  }
  sample::soft_cascades(2, same);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
