// Repeats trainings of earlier versions. The same options, samples and seed must give the same model on every
// machine and in every later version.
#include <gtest/gtest.h>
#include <winnow/train.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "image/warp_picture.h"
#include "learn/samples_for_test.h"
#include "train/samples/jitter.h"

namespace winnow {
namespace {

// FNV-1a hash of the bits of numbers.
class Digest {
 public:
  void add(std::int64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      sum_ ^= static_cast<std::uint64_t>(value) >> 8 * byte & 0xFF;
      sum_ *= 0x100000001b3;
    }
  }
  void add(float value) { add(std::int64_t{std::bit_cast<std::int32_t>(value)}); }
  void add(const Box& box) {
    for (const int side : {box.x, box.y, box.width, box.height}) add(std::int64_t{side});
  }
  void add(GrayView picture) {
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) add(std::int64_t{picture.row(y)[x]});
    }
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

template <class T>
std::int64_t whole(T value) {
  return static_cast<std::int64_t>(value);
}

std::uint64_t digest_of(const TrainResult& result) {
  const CascadeModel& model = result.cascade.model();
  Digest digest;
  const ModelRules& rules = model.rules;
  for (const std::int64_t value :
       {whole(model.kind), whole(rules.sum), whole(0), whole(rules.step), whole(rules.scale),
        whole(rules.flat), whole(rules.skip_after_first_stage_reject)})
    digest.add(value);
  digest.add(rules.threshold_slack);
  for (const Stage& stage : model.stages) {
    digest.add(whole(stage.first_tree)), digest.add(whole(stage.tree_count)), digest.add(stage.threshold);
  }
  for (const Tree& tree : model.trees) {
    digest.add(whole(tree.first_node)), digest.add(whole(tree.node_count)),
        digest.add(whole(tree.first_leaf));
  }
  for (const TreeNode& node : model.nodes) {
    for (const std::int32_t value : {node.left, node.right, node.feature}) digest.add(whole(value));
    digest.add(node.threshold);
  }
  for (const float leaf : model.leaves) digest.add(leaf);
  for (const LbpSubset& subset : model.subsets) {
    for (const std::int32_t bits : subset) digest.add(whole(bits));
  }
  for (const Table& table : model.tables) {
    digest.add(whole(table.feature)), digest.add(table.low), digest.add(table.per_unit);
    for (const float leaf : table.leaves) digest.add(leaf);
  }
  for (const HaarFeature& feature : model.haar) {
    digest.add(whole(feature.tilted));
    for (const HaarRect& rect : feature.rects) digest.add(rect.box), digest.add(rect.weight);
  }
  for (const LbpFeature& feature : model.lbp) digest.add(feature.cell);
  for (const TrainedStage& stage : result.stages) {
    for (const std::int64_t value :
         {whole(stage.weak), whole(stage.positives), whole(stage.negatives), whole(stage.carried_over),
          whole(stage.mined_windows), whole(stage.hit * stage.positives + 0.5),
          whole(stage.false_alarm * stage.negatives + 0.5)})
      digest.add(value);
  }
  return digest.sum();
}

// Some positives are no objects, and one has no contrast.
const Pack& recipe_pack() {
  static const Pack pack = [] {
    Pack made = sample::make_sample_pack({16, 16}, 90, 12, 3);
    for (unsigned i = 0; i < 8; ++i) {
      const GrayImage noise = sample::make_noise(made.window, 700 + i);
      std::copy_n(noise.row(0), made.positive_bytes(),
                  made.positives.begin() + static_cast<std::ptrdiff_t>(i * 9 * made.positive_bytes()));
    }
    std::fill_n(made.positives.begin() + static_cast<std::ptrdiff_t>(5 * made.positive_bytes()),
                made.positive_bytes(), std::uint8_t{77});
    return made;
  }();
  return pack;
}

struct Recipe {
  const char* name;
  void (*change)(CascadeOptions&);
  std::uint64_t digest;
  std::uint64_t seed = 1;
};

class Recipes : public ::testing::TestWithParam<Recipe> {};

TEST_P(Recipes, GiveTheModelTheyGave) {
  CascadeOptions options;
  options.negatives = 250;
  options.features_per_round = 500;
  options.form = StageOptions{.stages = 4, .min_hit = 0.97};
  GetParam().change(options);
  RunOptions run;
  run.machine = {BackendKind::kCpu, 2};
  run.seed = GetParam().seed;
  EXPECT_EQ(digest_of(train_cascade(recipe_pack(), options, run)), GetParam().digest);
}

constexpr Recipe kRecipes[] = {
    {"Plain", [](CascadeOptions&) {}, 0x9dfd0c678c3993ad},
    {"AllFeatures",
     [](CascadeOptions& o) {
       o.features_per_round = 0;
       o.pool = 3000;
       o.form = StageOptions{.stages = 2, .min_hit = 0.97};
     },
     0xc79ab693c8a5666, 7},
    {"MoreFeaturesThanThereAre",  // a limit beyond the number of features means all features
     [](CascadeOptions& o) {
       o.features_per_round = 5000;
       o.pool = 3000;
       o.form = StageOptions{.stages = 2, .min_hit = 0.97};
     },
     0xc79ab693c8a5666, 7},
    {"APartThatIsWhole",  // min_hit loses exactly eleven of the 89 positives that have contrast
     [](CascadeOptions& o) {
       o.features_per_round = 3;
       o.form = StageOptions{.stages = 1, .min_hit = 1 - 11.0 / 89, .max_false = 1e-4, .max_weak = 20};
     },
     0x75b17b9b69be56ef},
    {"MoreKinds", [](CascadeOptions& o) { o.features = FeatureSet::kHaarMore; }, 0xb1c72b99becb19e},
    {"Tilted",
     [](CascadeOptions& o) {
       o.features = FeatureSet::kHaarTilted;
       o.boost = BoostKind::kDiscrete;
     },
     0x42cbbf1eec95ef15},
    {"RealTrees",
     [](CascadeOptions& o) {
       o.boost = BoostKind::kReal;
       o.depth = 3;
       o.form = StageOptions{.stages = 4, .min_hit = 0.97, .max_false = 0.2};
     },
     0x9e9014aeea59ec39},
    {"DiscreteTrees",
     [](CascadeOptions& o) {
       o.boost = BoostKind::kDiscrete;
       o.depth = 2;
       o.form = StageOptions{.stages = 4, .min_hit = 0.97, .max_false = 0.2};
     },
     0x13eb61264c07715f},
    {"Lbp", [](CascadeOptions& o) { o.features = FeatureSet::kLbp; }, 0xe16a1f74eaa6db17},
    {"LbpTrees",
     [](CascadeOptions& o) {
       o.features = FeatureSet::kLbp;
       o.depth = 2;
       o.boost = BoostKind::kReal;
       o.negative_noise = 0.05;
     },
     0x1c720efd010deb20},
    {"Tables", [](CascadeOptions& o) { o.weak = WeakKind::kTable; }, 0x917071c3ebf73aea},
    {"DiscreteTables",
     [](CascadeOptions& o) {
       o.weak = WeakKind::kTable;
       o.boost = BoostKind::kDiscrete;
     },
     0x5cd109672e9181fc},
    {"Soft", [](CascadeOptions& o) { o.form = SoftOptions{.rounds = 4, .min_hit = 0.97, .max_weak = 40}; },
     0xf2b478436c2d4af4},
    {"SoftTables",
     [](CascadeOptions& o) {
       o.weak = WeakKind::kTable;
       o.boost = BoostKind::kReal;
       o.form = SoftOptions{.rounds = 4, .min_hit = 0.95, .max_weak = 40};
     },
     0xb527d9790a251a74},
    {"SoftLbp",
     [](CascadeOptions& o) {
       o.features = FeatureSet::kLbp;
       o.form = SoftOptions{.rounds = 6, .min_hit = 0.97, .max_weak = 33};
     },
     0xae120fa2d9e6772e},
};

INSTANTIATE_TEST_SUITE_P(All, Recipes, ::testing::ValuesIn(kRecipes),
                         [](const auto& recipe) { return std::string(recipe.param.name); });

// Warped samples, too, are the same as in earlier versions.
TEST(RecipeSamples, Warps) {
  const GrayImage picture = sample::make_noise({37, 53}, 1), negative = sample::make_noise({71, 64}, 2);
  Digest digest;
  GrayImage window(24, 24);
  WarpBounds bounds;
  bounds.background = 120;
  bounds.background_tolerance = 9;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    warp_picture(picture.view(), negative.view(), bounds, random, window.view());
    digest.add(std::as_const(window).view());
  }
  EXPECT_EQ(digest.sum(), 0x4e6747ac04cacfa9);
}

TEST(RecipeSamples, Copies) {
  const GrayImage picture = sample::make_noise({90, 70}, 3);
  const Jitter jitter{1, 9, 0.1, 0.05, 1.5, 0.4, 0.3, 0.4, 0.05};
  Digest digest;
  GrayImage window(24, 24);
  const Affine place = place_box({20, 12, 40, 40}, {24, 24});
  for (std::uint64_t copy = 0; copy < 20; ++copy) {
    sample_jittered(picture.view(), place, jitter, 5, copy % 3, copy, window.view());
    digest.add(std::as_const(window).view());
  }
  EXPECT_EQ(digest.sum(), 0xefb919fb9a29ee60);
}

}  // namespace
}  // namespace winnow
