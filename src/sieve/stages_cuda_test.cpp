// Compares the cuda backend's sieve with the reference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <winnow/cascade.h>

#include "base/device/device_for_test.h"
#include "sieve/results_for_test.h"
#include "sieve/scenes_for_test.h"
#include "sieve/stages.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using sample::Random;

testing::AssertionResult same(const Cascade& cascade, const std::vector<GrayView>& pictures, double factor,
                              Size min_size) {
  const auto reference = make_sieve_ref(cascade);
  // A single picture has lower tiles than a large batch, and another kernel judges them.
  const std::pair<const char*, std::unique_ptr<Sieve>> devices[] = {
      {"low tiles", make_sieve_cuda(cascade, 0)}, {"high tiles", make_sieve_cuda(cascade, 0, 320)}};
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    LevelPlan plan;
    plan_levels({pictures[i].size(), cascade.window(), factor, min_size, {}}, plan);
    SieveResult wanted, got;
    reference->run(pictures[i], plan, wanted);
    std::string what;
    for (const auto& [tiles, device] : devices) {
      device->run(pictures[i], plan, got);
      what = sample::difference(wanted, got);
      if (what.empty()) continue;
      what = std::string(tiles) + ": " + what;
      break;
    }
    if (what.empty()) continue;
    return testing::AssertionFailure()
           << "picture " << i << " of " << pictures[i].width << "x" << pictures[i].height << ", factor "
           << factor << ", minimum " << min_size.width << ", window " << cascade.window().width << "x"
           << cascade.window().height << ": " << what;
  }
  return testing::AssertionSuccess();
}

// Most pictures have one tile per level. Some have several tiles side by side, one below the other, or both.
Size random_size(Random& random, Size window) {
  const int kind = random.below(12);
  const int wide = window.width + random.between(0, 60), tall = window.height + random.between(0, 60);
  if (kind == 0) return {wide + random.between(150, 600), tall};
  if (kind == 1) return {wide, tall + random.between(150, 400)};
  if (kind == 2) return {wide + random.between(100, 300), tall + random.between(100, 200)};
  return {wide, tall};
}

// Reads a number from the environment. WINNOW_CASCADES is the number of cascades, WINNOW_SEED the first seed.
std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(StagesCuda, RandomCascadesGiveTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  const std::uint64_t first = setting("WINNOW_SEED", 1), count = setting("WINNOW_CASCADES", 300);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    sample::random_scene(seed, random_size, same);
    if (HasFatalFailure()) return;
  }
}

// Large windows. The sieve judges windows that are too large for tiles with planes of whole levels.
TEST(StagesCuda, LargeWindows) {
  WINNOW_NEEDS_DEVICE();
  sample::large_windows(12, 60, same);
}

TEST(StagesCuda, SoftCascades) {
  WINNOW_NEEDS_DEVICE();
  sample::soft_cascades(setting("WINNOW_CASCADES", 8), same);
}

TEST(StagesCuda, ExtremeFixedPoint) {
  WINNOW_NEEDS_DEVICE();
  sample::extreme_fixed_point(8, same);
}

TEST(StagesCuda, EveryKindOfFixedPoint) {
  WINNOW_NEEDS_DEVICE();
  sample::every_kind_of_fixed_point(setting("WINNOW_CASCADES", 140), {12, 12}, same);
}

TEST(StagesCuda, EveryKindOfFixedPointInLargeWindows) {
  WINNOW_NEEDS_DEVICE();
  sample::every_kind_of_fixed_point(14, {110, 100}, same);
}

TEST(StagesCuda, OneStageOnly) {
  WINNOW_NEEDS_DEVICE();
  sample::one_stage_only(450, same);
}

TEST(StagesCuda, ManyGrids) {
  WINNOW_NEEDS_DEVICE();
  sample::many_grids(setting("WINNOW_CASCADES", 24), same);
}

TEST(StagesCuda, ManyTrees) {
  WINNOW_NEEDS_DEVICE();
  sample::many_trees(setting("WINNOW_CASCADES", 24), same);
}

TEST(StagesCuda, OddSizes) {
  WINNOW_NEEDS_DEVICE();
  sample::odd_sizes(same);
}

TEST(StagesCuda, SamplesOfTheModelRoom) {
  WINNOW_NEEDS_DEVICE();
  sample::samples_of_the_model_room(same);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
