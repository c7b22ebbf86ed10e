#include "model/check.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/samples_for_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

// Expects that `model` is refused at `place`, for a reason that contains `words`.
void expect_refused(const CascadeModel& model, const std::string& place, const std::string& words,
                    ErrorCode code = ErrorCode::kFormat) {
  const Error error = sample::refused(model);
  EXPECT_EQ(error.place(), place) << error.what();
  EXPECT_THAT(error.sentence(), HasSubstr(words));
  EXPECT_EQ(error.code(), code) << error.what();
}

TEST(CheckModel, TakesTheSamples) {
  for (const CascadeModel& model : sample::all()) EXPECT_NO_THROW(check_model(model)) << model.card.name;
}

TEST(CheckModel, TakesFixedPoint) {
  for (const CascadeModel& model : sample::fixed_point())
    EXPECT_NO_THROW(check_model(model)) << model.card.name;
}

TEST(CheckModel, FixedPoint) {
  CascadeModel model = sample::soft();
  model.leaves[3] = 0.3f;
  expect_refused(model, "", "a leaf is not a whole number of 1/4096");
  model.leaves[3] = 8.f;
  expect_refused(model, "", "a leaf is not a whole number of 1/4096");
  model = sample::soft();
  model.stages[1].threshold = 4096.5f;
  expect_refused(model, "stage 1", "the threshold is not a whole number of 1/4096");
  model.stages[1].threshold = 1e-5f;
  expect_refused(model, "stage 1", "the threshold is not a whole number of 1/4096");
  model = sample::soft();
  model.rules.threshold_slack = 1e-5f;
  expect_refused(model, "", "nothing may be taken off");
  model = sample::soft();
  model.rules.sum = static_cast<SumRule>(2);
  expect_refused(model, "", "a rule that this version does not know", ErrorCode::kUnsupported);
  model = sample::soft();
  model.trees = {{0, 8, 0}};
  model.nodes.assign(8, {0, -1, 0, 0.f});
  for (int i = 0; i < 7; ++i) model.nodes[static_cast<std::size_t>(i)].right = i + 1;
  model.leaves.assign(9, 0.f);
  model.stages = {{0, 1, 0.f}};
  expect_refused(model, "", "trees may have 7 nodes at most");
}

TEST(CheckModel, Tables) {
  CascadeModel model = sample::tables();
  model.tables[1].feature = 4;
  expect_refused(model, "table 1", "there is no feature 4");
  model.tables[1].feature = -1;
  expect_refused(model, "table 1", "there is no feature -1");
  model = sample::tables();
  model.tables[2].low = std::numeric_limits<float>::infinity();
  expect_refused(model, "table 2", "not finite");
  model = sample::tables();
  model.tables[2].per_unit = -1;
  expect_refused(model, "table 2", "not finite");
  model = sample::tables();
  model.tables[0].leaves[15] = std::numeric_limits<float>::quiet_NaN();
  expect_refused(model, "table 0", "a leaf is not a whole number");
  model = sample::tables();
  model.stages[1].tree_count = 2;
  expect_refused(model, "stage 1", "tables are not where they should be");
  model.stages.pop_back();
  expect_refused(model, "", "tables that belong to no stage");
  model = sample::lbp();
  model.tables = sample::tables().tables;
  expect_refused(model, "", "an LBP cascade has tables");
  model = sample::tables();
  model.tables.assign(65'536, model.tables[0]);
  model.stages = {{0, 65'536, 0.f}};
  expect_refused(model, "", "more weak classifiers than may be counted", ErrorCode::kLimit);
}

TEST(CheckModel, TablesAndTrees) {
  EXPECT_NO_THROW(check_model(sample::mixed()));
  CascadeModel model = sample::mixed();
  model.rules.sum = SumRule::kStage;
  expect_refused(model, "", "both trees and tables, but no running sum");
  model = sample::mixed();
  model.subsets.pop_back();
  expect_refused(model, "", "2 LBP subsets for 3 nodes");
  model = sample::mixed();
  model.stages[1].tree_count = 2;
  model.stages.erase(model.stages.begin() + 2);
  expect_refused(model, "stage 1", "the stage has both tables and trees");
  model = sample::mixed();
  model.nodes[1].feature = 2;
  expect_refused(model, "stage 3, tree 0, node 0", "there is no feature 2");
  model = sample::mixed();
  model.nodes[2].threshold = 1;
  expect_refused(model, "stage 3, tree 1, node 0", "an LBP node has a threshold");
  model = sample::mixed();
  model.leaves[5] = 1e-5f;
  expect_refused(model, "", "a leaf is not a whole number of 1/4096");
  model = sample::mixed();
  model.stages.pop_back();
  expect_refused(model, "", "weak classifiers that belong to no stage");
  model = sample::mixed();
  model.trees = {{0, 1, 0}, {1, 2, 2}};
  model.leaves.pop_back();
  model.nodes[1] = {1, 0, 0, 0.f};
  model.stages.back().tree_count = 1;
  expect_refused(model, "", "a tree beside tables has more than one node");
  model = sample::mixed();
  model.haar.resize(1);
  model.lbp.resize(3, model.lbp[0]);
  expect_refused(model, "table 1", "there is no feature 2");
  model = sample::tables();
  model.lbp = sample::lbp().lbp;
  expect_refused(model, "", "features of two kinds");
  model = sample::tables();
  model.subsets = sample::lbp().subsets;
  expect_refused(model, "", "3 LBP subsets for 0 Haar nodes");
  model = sample::tables();
  model.nodes = sample::stumps().nodes;
  expect_refused(model, "", "nodes that belong to no tree");
  model = sample::tables();
  model.leaves = {1, 2};
  expect_refused(model, "", "leaves that belong to no tree");
  model = sample::soft();
  model.lbp = sample::lbp().lbp;
  expect_refused(model, "", "features of two kinds");
}

TEST(CheckModel, Window) {
  for (const Size size : {Size{0, 24}, Size{20, -1}, Size{4097, 24}, Size{2, 24}}) {
    CascadeModel model = sample::stumps();
    model.window = size;
    expect_refused(model, "", "the window is");
  }
}

TEST(CheckModel, NumbersOfEntries) {
  CascadeModel model = sample::stumps();
  model.stages.clear();
  expect_refused(model, "", "no stages");
  model = sample::stumps();
  model.stages[1].tree_count = 0;
  expect_refused(model, "stage 1", "no trees");
  model.stages[1].tree_count = std::numeric_limits<int>::max();
  expect_refused(model, "stage 1", "not where they should be");
  model.stages[1].tree_count = 2;
  expect_refused(model, "", "belong to no stage");
  model = sample::trees();
  model.trees[1].node_count = 0;
  expect_refused(model, "stage 0, tree 1", "no nodes");
  model.trees[1].node_count = std::numeric_limits<int>::max();
  expect_refused(model, "stage 0, tree 1", "not where they should be");
  model = sample::trees();
  model.trees[2].first_node = -4;
  expect_refused(model, "stage 1, tree 0", "nodes are not where");
  model = sample::trees();
  model.leaves.pop_back();
  expect_refused(model, "stage 1, tree 0", "leaves are not where");
  model.leaves.assign(10, 0.f);
  expect_refused(model, "", "belong to no tree");
}

TEST(CheckModel, Trees) {
  CascadeModel model = sample::trees();
  model.nodes[1].right = 2;
  expect_refused(model, "stage 0, tree 0, node 1", "reached twice");
  model = sample::trees();
  model.nodes[2].left = 2;
  expect_refused(model, "stage 0, tree 0, node 2", "loops");
  model = sample::trees();
  model.nodes[0].left = -2;
  expect_refused(model, "stage 0, tree 0, node 2", "never reached");
  model = sample::trees();
  model.nodes[5].left = 2;
  expect_refused(model, "stage 1, tree 0, node 1", "no node 2");
  model.nodes[5].left = -3;
  expect_refused(model, "stage 1, tree 0, node 1", "no leaf 3");
  model.nodes[5].left = std::numeric_limits<int>::min();
  expect_refused(model, "stage 1, tree 0, node 1", "no leaf 2147483648");
  model = sample::trees();
  model.nodes[3].feature = 4;
  expect_refused(model, "stage 0, tree 1, node 0", "no feature 4");
  model.nodes[3].feature = -1;
  expect_refused(model, "stage 0, tree 1, node 0", "no feature -1");
}

TEST(CheckModel, ATreeMayBeAsDeepAsItHasNodes) {
  constexpr std::int32_t kNodes = 300'000;
  CascadeModel model = sample::stumps();
  model.stages = {{0, 1, 0.f}};
  model.trees = {{0, kNodes, 0}};
  model.nodes.clear();
  for (std::int32_t i = 0; i < kNodes; ++i)
    model.nodes.push_back({i + 1 < kNodes ? i + 1 : -kNodes, -i, 0, 0.f});
  model.leaves.assign(kNodes + 1, 0.f);
  EXPECT_NO_THROW(check_model(model));
}

TEST(CheckModel, Floats) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    CascadeModel model = sample::stumps();
    model.stages[1].threshold = bad;
    expect_refused(model, "stage 1", "not a finite number");
    model = sample::stumps();
    model.nodes[2].threshold = bad;
    expect_refused(model, "stage 1, tree 1, node 0", "not a finite number");
    model = sample::stumps();
    model.leaves[7] = bad;
    expect_refused(model, "stage 1, tree 2", "leaf 1 is not a finite number");
    model = sample::stumps();
    model.haar[3].rects[2].weight = bad;
    expect_refused(model, "feature 3", "not a finite number");
    model = sample::stumps();
    model.rules.threshold_slack = bad;
    expect_refused(model, "", "slack");
  }
}

TEST(CheckModel, UprightFeaturesAreInsideTheWindow) {
  const int kMax = std::numeric_limits<int>::max();
  for (const Box box : {Box{-1, 3, 12, 6}, Box{9, 3, 12, 6}, Box{2, 19, 12, 6}, Box{2, 3, 0, 6},
                        Box{2, 3, 12, -1}, Box{2, 3, kMax, 6}, Box{kMax, kMax, kMax, kMax}}) {
    CascadeModel model = sample::stumps();
    model.haar[0].rects[1].box = box;
    expect_refused(model, "feature 0", "the rectangle");
    model.haar[0].rects[1].weight = 0;  // a rectangle of weight 0 is unused, wherever it lies
    EXPECT_NO_THROW(Cascade{model});
  }
  CascadeModel model = sample::stumps();
  model.haar[0].rects[0] = HaarRect{};
  expect_refused(model, "feature 0", "the rectangle");
}

TEST(CheckModel, TiltedFeaturesHaveTheirFourCornersInsideTheWindow) {
  CascadeModel model = sample::stumps();  // with a window of 20 x 24
  for (const Box box : {Box{5, 0, 15, 5}, Box{6, 0, 14, 6}, Box{12, 12, 1, 11}}) {
    model.haar[2].rects[1].box = box;
    EXPECT_NO_THROW(check_model(model)) << box.x;
  }
  for (const Box box : {Box{4, 0, 15, 5}, Box{6, 0, 15, 5}, Box{5, 5, 15, 5}, Box{5, -1, 15, 5},
                        Box{8, 1, 0, 6}, Box{8, 1, 4, 0}}) {
    model.haar[2].rects[1].box = box;
    expect_refused(model, "feature 2", "the tilted rectangle");
  }
}

TEST(CheckModel, LbpGridsAreInsideTheWindow) {
  CascadeModel model = sample::lbp();  // with a window of 12 x 15
  for (const Box cell : {Box{1, 0, 4, 5}, Box{0, 1, 4, 5}, Box{0, 0, 5, 5}, Box{-1, 0, 4, 5}, Box{0, 0, 0, 5},
                         Box{0, 0, 1 << 30, 1 << 30}}) {
    model.lbp[0].cell = cell;
    expect_refused(model, "feature 0", "the 3 x 3 grid");
  }
  model = sample::lbp();
  model.subsets.pop_back();
  expect_refused(model, "", "2 LBP subsets for 3 nodes");
  model = sample::lbp();
  model.nodes[1].threshold = 1;
  expect_refused(model, "stage 1, tree 0, node 0", "threshold");
}

TEST(CheckModel, KindsAndRulesAreKnown) {
  CascadeModel model = sample::stumps();
  model.kind = static_cast<FeatureKind>(7);
  expect_refused(model, "", "kind of feature");
  model = sample::stumps();
  model.lbp = sample::lbp().lbp;
  expect_refused(model, "", "two kinds");
  model = sample::stumps();
  model.haar.clear();
  expect_refused(model, "", "no features");
  model = sample::stumps();
  model.rules.flat = static_cast<FlatRule>(9);
  expect_refused(model, "", "rule", ErrorCode::kUnsupported);
}

TEST(CheckModel, Sizes) {
  CascadeModel model = sample::stumps();
  model.haar.resize(kMaxFeatures + 1, model.haar[0]);
  expect_refused(model, "", "too many features", ErrorCode::kLimit);
  model = sample::stumps();
  model.nodes.resize(kMaxNodes + 1, model.nodes[0]);
  expect_refused(model, "", "too many tree nodes", ErrorCode::kLimit);
  model = sample::stumps();
  model.notes.resize(kMaxNotes + 1);
  expect_refused(model, "", "too many notes", ErrorCode::kLimit);
  model = sample::stumps();
  model.card.terms.resize(kMaxTextBytes + 1, 'a');
  expect_refused(model, "", "too long", ErrorCode::kLimit);
}

TEST(CheckModel, TextsAreClean) {
  for (const char* bad : {"\x1b[2J", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xc2\x9b", "\xe2\x82", "\x7f"}) {
    CascadeModel model = sample::stumps();
    model.card.source = bad;
    expect_refused(model, "", "not clean");
  }
  CascadeModel model = sample::stumps();
  model.card.source = "Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x99\x82\n\ttwo lines";
  EXPECT_NO_THROW(check_model(model));
}

TEST(MakeCanonical, StumpsHaveLeafZeroOnTheLeft) {
  CascadeModel model = sample::stumps();
  model.nodes[0] = {-1, 0, 0, model.nodes[0].threshold};
  model.nodes[1] = {-1, -1, 1, 0.f};
  make_canonical(model);
  EXPECT_EQ(model.nodes[0].left, 0);
  EXPECT_EQ(model.nodes[0].right, -1);
  EXPECT_EQ(std::vector<float>(model.leaves.begin(), model.leaves.begin() + 4),
            (std::vector<float>{0.683501482f, -0.75f, -0.f, -0.f}));
  // In a cascade with deeper trees the child indices of a stump stay as they are.
  CascadeModel mixed = sample::trees();
  make_canonical(mixed);
  EXPECT_TRUE(mixed.same_as(sample::trees()));
}

}  // namespace
}  // namespace winnow
