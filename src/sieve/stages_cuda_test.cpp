// The cuda backend's sieve against the reference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include <winnow/cascade.h>

#include "base/device_for_test.h"
#include "model/samples_for_test.h"
#include "sieve/answers_for_test.h"
#include "sieve/cascades_for_test.h"
#include "sieve/stages.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using sample::Random;
using sample::Recipe;

testing::AssertionResult same(const Cascade& cascade, const std::vector<GrayView>& pictures, double factor,
                              Size min_size) {
  const auto reference = make_sieve_ref(cascade), device = make_sieve_cuda(cascade, 0);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    LevelPlan plan;
    plan_levels({pictures[i].size(), cascade.window(), factor, min_size, {}}, plan);
    SieveResult wanted, got;
    reference->run(pictures[i], plan, wanted);
    device->run(pictures[i], plan, got);
    const std::string what = sample::difference(wanted, got);
    if (what.empty()) continue;
    return testing::AssertionFailure()
           << "picture " << i << " of " << pictures[i].width << "x" << pictures[i].height << ", factor "
           << factor << ", minimum " << min_size.width << ", window " << cascade.window().width << "x"
           << cascade.window().height << ": " << what;
  }
  return testing::AssertionSuccess();
}

// Most pictures make one tile a level, some several side by side, one below the other, or both.
Size random_size(Random& random, Size window) {
  const int kind = random.below(12);
  const int wide = window.width + random.between(0, 60), tall = window.height + random.between(0, 60);
  if (kind == 0) return {wide + random.between(150, 600), tall};
  if (kind == 1) return {wide, tall + random.between(150, 400)};
  if (kind == 2) return {wide + random.between(100, 300), tall + random.between(100, 200)};
  return {wide, tall};
}

// WINNOW_CASCADES: so many instead; WINNOW_SEED: from that one on.
std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(StagesCuda, RandomCascadesGiveTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  const std::uint64_t first = setting("WINNOW_SEED", 1), count = setting("WINNOW_CASCADES", 300);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Recipe recipe = sample::random_recipe(random);
    const GrayImage one = sample::random_picture(random, random_size(random, recipe.window));
    const GrayImage two = sample::random_picture(random, {recipe.window.width + random.between(-1, 20),
                                                          recipe.window.height + random.between(-1, 20)});
    const Cascade cascade(sample::random_cascade(random, recipe, one.view()));
    const double factor = random.one_of(std::vector<double>{1.1, 1.3, 1.5, 2.0});
    const Size min_size =
        random.chance(0.3) ? Size{2 * recipe.window.width, 2 * recipe.window.height} : Size{};
    ASSERT_TRUE(same(cascade, {one.view(), two.view(), one.view()}, factor, min_size));
  }
}

// Too large for tiles: judged with planes of whole levels.
TEST(StagesCuda, LargeWindows) {
  WINNOW_NEEDS_DEVICE();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = seed % 3 == 0 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.window = seed < 5 ? Size{random.between(60, 120), random.between(60, 100)}
                             : Size{random.between(200, 330), random.between(180, 270)};
    recipe.tilted = seed % 2 == 0;
    recipe.fractions = seed == 5;
    const GrayImage picture =
        sample::random_picture(random, {recipe.window.width + 45, recipe.window.height + 21});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same(cascade, {picture.view()}, 1.1, {}));
  }
}

TEST(StagesCuda, OneStageOnly) {
  WINNOW_NEEDS_DEVICE();
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = seed % 2 == 0 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.window = {random.between(3, 12), random.between(3, 12)};
    recipe.stages = 1;
    recipe.most_trees = 1;
    const GrayImage picture =
        sample::random_picture(random, {random.between(60, 450), random.between(20, 40)});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same(cascade, {picture.view()}, 1.4, {}));
  }
}

TEST(StagesCuda, OddSizes) {
  WINNOW_NEEDS_DEVICE();
  Random random(7);
  Recipe recipe;
  recipe.window = {20, 18};
  const GrayImage large = sample::random_picture(random, {64, 48});
  const Cascade cascade(sample::random_cascade(random, recipe, large.view()));
  std::vector<GrayView> pictures{GrayView{}};
  for (const Size size : {Size{1, 1}, Size{19, 18}, Size{20, 17}, Size{20, 18}, Size{21, 18}, Size{20, 19},
                          Size{37, 41}, Size{64, 48}}) {
    pictures.push_back(large.view().crop({0, 0, size.width, size.height}));
  }
  ASSERT_TRUE(same(cascade, pictures, 1.05, {}));
}

TEST(StagesCuda, SamplesOfTheModelRoom) {
  WINNOW_NEEDS_DEVICE();
  Random random(3);
  const GrayImage picture = sample::random_picture(random, {90, 70});
  for (const CascadeModel& model : sample::all()) {
    SCOPED_TRACE(model.card.name);
    ASSERT_TRUE(same(Cascade(model), {picture.view()}, 1.1, {}));
  }
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
