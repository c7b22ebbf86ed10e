#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include "learn/sample_planes.h"
#include "learn/samples_for_test.h"
#include "scale/integral.h"
#include "sieve/stages.h"

namespace winnow {
namespace {

using sample::make_sample_pack;

const Pack& pack_of_16() {
  static const Pack pack = make_sample_pack({16, 16}, 150, 20, 1);
  return pack;
}

CascadeOptions soft_options() {
  CascadeOptions options;
  options.negatives = 300;
  options.features_per_round = 200;
  options.form = SoftOptions{.rounds = 3, .min_hit = 0.95, .max_weak = 24};
  return options;
}

std::vector<Cascade> members_of(const CascadeOptions& options, int count, std::uint64_t first_seed = 3) {
  RunOptions run;
  run.machine = {BackendKind::kCpu, 2};
  run.seed = first_seed;
  std::vector<Cascade> members;
  for (int i = 0; i < count; ++i, ++run.seed)
    members.push_back(train_cascade(pack_of_16(), options, run).cascade);
  return members;
}

RunOptions run_with(int threads, std::int64_t memory = RunOptions().memory) {
  RunOptions run;
  run.machine.threads = threads;
  run.memory = memory;
  return run;
}

// The sum over all stages, whether or not the window passes, and the number of stages that the window passes.
struct Seen {
  double sum = 0;
  std::size_t passed = 0;
};
Seen judge(const Cascade& cascade, GrayView window) {
  const CascadeModel& model = cascade.model();
  const int width = window.width + 1;
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(width) * static_cast<std::size_t>(width)),
      tilted = sums;
  const auto plane = [&](std::vector<std::uint32_t>& values) {
    return PlaneView{values.data(), width, width, static_cast<std::ptrdiff_t>(4) * width};
  };
  integral_ref(window, {plane(sums), {}, plane(tilted)});
  const WindowSums of{sums.data(), tilted.data(), width,
                      model.kind == FeatureKind::kHaar ? sample_norm(window).factor : 1.f};
  Seen seen;
  bool lives = true;
  for (const Stage& stage : model.stages) {
    seen.sum = stage_sum(model, stage, of, seen.sum);
    lives = lives && seen.sum >= stage.threshold;
    seen.passed += lives ? 1 : 0;
  }
  return seen;
}

CascadeOptions soft_tables() {
  CascadeOptions options = soft_options();
  options.weak = WeakKind::kTable;
  return options;
}

std::vector<CascadeOptions> kinds() {
  CascadeOptions tables = soft_tables(), trees = soft_options(), tilted = trees, lbp = trees;
  trees.depth = 2;
  tilted.features = FeatureSet::kHaarTilted;
  lbp.features = FeatureSet::kLbp;
  return {tables, trees, tilted, lbp};
}

TEST(Join, AddsUpWhatMembersSay) {
  for (const CascadeOptions& options : kinds()) {
    const std::vector<Cascade> members = members_of(options, 3);
    const Cascade joined = join_cascades(members, pack_of_16());
    EXPECT_EQ(joined.model().weak_count(), members[0].model().weak_count() + members[1].model().weak_count() +
                                               members[2].model().weak_count());
    std::size_t passed = 0;
    for (std::size_t i = 0; i < pack_of_16().positive_count(); ++i) {
      const GrayView window = pack_of_16().positive(i);
      double sum = 0;
      for (const Cascade& member : members) sum += judge(member, window).sum;
      const Seen seen = judge(joined, window);
      EXPECT_EQ(seen.sum, sum);
      passed += seen.passed == joined.model().stages.size() ? 1 : 0;
    }
    EXPECT_GE(static_cast<double>(passed), 0.98 * static_cast<double>(pack_of_16().positive_count()));
  }
}

// Joins tables of Haar features with LBP features, which must come last. A joined cascade can be joined
// again.
TEST(Join, FeaturesOfBothKinds) {
  const std::vector<Cascade> tables = members_of(soft_tables(), 2), lbp = members_of(kinds()[3], 2);
  const Cascade joined = join_cascades({tables[0], tables[1], lbp[0]}, pack_of_16());
  EXPECT_TRUE(joined.model().mixed());
  const Cascade more = join_cascades({joined, lbp[1]}, pack_of_16());
  const Cascade both =
      join_cascades({tables[0], join_cascades({tables[1], lbp[0]}, pack_of_16())}, pack_of_16());
  std::size_t passed = 0;
  for (std::size_t i = 0; i < pack_of_16().positive_count(); ++i) {
    const GrayView window = pack_of_16().positive(i);
    const double sum =
        judge(tables[0], window).sum + judge(tables[1], window).sum + judge(lbp[0], window).sum;
    EXPECT_EQ(judge(joined, window).sum, sum);
    EXPECT_EQ(judge(both, window).sum, sum);
    EXPECT_EQ(judge(more, window).sum, sum + judge(lbp[1], window).sum);
    passed += judge(more, window).passed == more.model().stages.size() ? 1 : 0;
  }
  EXPECT_GE(static_cast<double>(passed), 0.98 * static_cast<double>(pack_of_16().positive_count()));
  EXPECT_EQ(more.model().weak_count(), joined.model().weak_count() + lbp[1].model().weak_count());
}

TEST(Join, ALowerHitRateRejectsSooner) {
  const std::vector<Cascade> members = members_of(kinds()[0], 2);
  const Pack noise = make_sample_pack({16, 16}, 150, 20, 7);
  std::size_t before = std::numeric_limits<std::size_t>::max();
  for (const double min_hit : {1., 0.9, 0.7}) {
    const Cascade joined = join_cascades(members, pack_of_16(), {min_hit});
    std::size_t passed = 0;
    for (std::size_t n = 0; n < pack_of_16().positive_count(); ++n)
      passed += judge(joined, pack_of_16().positive(n)).passed;
    EXPECT_LT(passed, before);
    before = passed;
  }
}

TEST(Join, TheSameFromAnyThreads) {
  const std::vector<Cascade> members = members_of(kinds()[0], 2);
  const auto bytes = [&](int threads) {
    return join_cascades(members, pack_of_16(), {0.96}, run_with(threads)).to_bytes(CascadeFormat::kWinnow);
  };
  EXPECT_EQ(bytes(1), bytes(3));
}

TEST(Join, OneIsAsItWasButForItsLimits) {
  const CascadeOptions options = kinds()[0];
  const std::vector<Cascade> one = members_of(options, 1);
  CascadeModel joined = join_cascades(one, pack_of_16(), {options.min_hit()}, run_with(1)).model();
  ASSERT_EQ(joined.stages.size(), one[0].model().stages.size());
  for (std::size_t s = 0; s < joined.stages.size(); ++s)
    joined.stages[s].threshold = one[0].model().stages[s].threshold;
  EXPECT_TRUE(joined.same_as(one[0].model()));
}

TEST(Join, WrongInput) {
  const auto sentence = [](const std::vector<Cascade>& members, const Pack& pack, const JoinRule& rule = {},
                           const RunOptions& run = {}) {
    try {
      join_cascades(members, pack, rule, run);
    } catch (const Error& error) {
      return error.sentence();
    }
    return std::string();
  };
  const std::vector<Cascade> tables = members_of(kinds()[0], 1), lbp = members_of(kinds()[3], 1);
  CascadeOptions staged = soft_options();
  staged.form = StageOptions{.stages = 3, .min_hit = 0.95, .max_weak = 24};
  const std::vector<Cascade> stages = members_of(staged, 1);
  EXPECT_EQ(sentence({}, pack_of_16()), "there is no cascade to be joined");
  EXPECT_EQ(sentence(stages, pack_of_16()), "cascade 1 is no soft cascade: only those can be joined");
  const std::vector<Cascade> trees = members_of(kinds()[1], 1);
  EXPECT_EQ(sentence({trees[0], lbp[0]}, pack_of_16()),
            "cascade 2 cannot be joined with cascade 1: it has another kind of features");
  EXPECT_EQ(sentence({lbp[0], tables[0]}, pack_of_16()),
            "cascade 2 cannot be joined with cascade 1: it has tables, which must come before LBP features");
  EXPECT_EQ(sentence({tables[0], lbp[0], members_of(soft_tables(), 1, 8)[0]}, pack_of_16()),
            "cascade 3 must come before cascade 2: tables come before LBP features");
  EXPECT_EQ(
      sentence({tables[0], trees[0]}, pack_of_16()),
      "cascade 2 cannot be joined with cascade 1: it has trees where the other has tables, or the reverse");
  const Cascade both = join_cascades({tables[0], lbp[0]}, pack_of_16());
  const std::vector<Cascade> more = members_of(kinds()[3], 2);
  const Cascade others = join_cascades({tables[0], more[1]}, pack_of_16());
  EXPECT_EQ(sentence({both, others}, pack_of_16()),
            "cascade 1 and cascade 2 both end with LBP features: what they were joined of can be joined");
  EXPECT_EQ(sentence({both, members_of(soft_tables(), 1, 8)[0]}, pack_of_16()),
            "cascade 2 must come before cascade 1: tables come before LBP features");
  EXPECT_EQ(sentence({lbp[0], both}, pack_of_16()),
            "cascade 2 cannot be joined with cascade 1: it has tables, which must come before LBP features");
  CascadeOptions deep = kinds()[3];
  deep.weak = WeakKind::kTree;
  deep.depth = 2;
  EXPECT_EQ(sentence({tables[0], members_of(deep, 1)[0]}, pack_of_16()),
            "cascade 2 cannot be joined with cascade 1: it has trees of more than one node, which cannot "
            "follow tables");
  CascadeModel named = tables[0].model();
  named.card.name = "ring";
  EXPECT_EQ(sentence({tables[0], Cascade(named)}, pack_of_16()),
            "cascade 2 ('ring') is the same as cascade 1");
  named.window = {18, 18};
  EXPECT_EQ(sentence({tables[0], Cascade(named)}, pack_of_16()),
            "cascade 2 ('ring') cannot be joined with cascade 1: it has a window of 18x18, not 16x16");
  EXPECT_EQ(sentence(tables, make_sample_pack({18, 18}, 5, 1, 1)),
            "the pack is of 18x18, the cascades' window is 16x16");
  EXPECT_EQ(sentence(tables, pack_of_16(), {0.4}), "the least hit rate must be above 0.5, and at most 1");
  EXPECT_EQ(sentence(tables, pack_of_16(), {0.9}, run_with(-1)),
            "the number of threads must not be negative");
  EXPECT_EQ(sentence(tables, pack_of_16(), {0.9}, run_with(1025)),
            "the number of threads must be at most 1024");
  EXPECT_EQ(sentence(tables, pack_of_16(), {0.9}, run_with(1, -1)), "the memory must not be negative");
  EXPECT_EQ(sentence(tables, pack_of_16(), {0.9}, run_with(1, 1000)),
            "150 positives take 1 MiB, more than the memory allowed");
  Pack none = make_sample_pack({16, 16}, 5, 1, 1);
  none.names.clear();
  none.positives.clear();
  EXPECT_EQ(sentence(tables, none), "there are no positives");
}

}  // namespace
}  // namespace winnow
