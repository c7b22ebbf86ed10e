#include "model/check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <winnow/error.h>

#include "base/clean_text.h"

namespace winnow {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& sentence,
                       ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, sentence, {}, place);
}

std::string number(std::int64_t value) { return std::to_string(value); }

void check_text(const std::string& text, const char* what) {
  if (text.size() > kMaxTextBytes) fail("", std::string(what) + " is too long", ErrorCode::kLimit);
  if (!is_clean_text(text)) fail("", std::string(what) + " is not clean UTF-8 text");
}

void check_sizes(const CascadeModel& model) {
  if (model.kind != FeatureKind::kHaar && model.kind != FeatureKind::kLbp)
    fail("", "the kind of feature is unknown");
  const int w = model.window.width, h = model.window.height;
  if (w < 1 || h < 1 || w > kMaxWindowSide || h > kMaxWindowSide) {
    fail("", std::string("the window is ") + number(w) + " x " + number(h) + ", each side must be 1 to " +
                 number(kMaxWindowSide));
  }
  if (model.rules.flat == FlatRule::kOpenCvVariance && (w < 3 || h < 3)) {
    fail("", std::string("the window is ") + number(w) + " x " + number(h) +
                 ", but the flat-window rule leaves out its border: 3 x 3 at least");
  }
  const bool lbp = model.kind == FeatureKind::kLbp;
  if (lbp && !model.tables.empty()) fail("", "an LBP cascade has tables");
  if (model.fixed_point() && model.weak_count() > kMaxFixedPointWeak)
    fail("", "the cascade has more weak classifiers than may be counted", ErrorCode::kLimit);
  if (model.mixed() && model.rules.sum != SumRule::kRunning)
    fail("", "the cascade has both trees and tables, but no running sum");
  if (model.stages.empty()) fail("", "the cascade has no stages");
  if (model.stages.size() > kMaxStages) fail("", "the cascade has too many stages", ErrorCode::kLimit);
  if (model.nodes.size() > kMaxNodes) fail("", "the cascade has too many tree nodes", ErrorCode::kLimit);
  if ((lbp ? model.lbp.size() : model.haar.size()) == 0) fail("", "the cascade has no features");
  if (std::max(model.haar.size(), model.lbp.size()) > kMaxFeatures)
    fail("", "the cascade has too many features", ErrorCode::kLimit);
  if (!model.mixed() && !(lbp ? model.haar.empty() : model.lbp.empty()))
    fail("", "the cascade has features of two kinds");
  const bool subsets = lbp || model.mixed();
  if (model.subsets.size() != (subsets ? model.nodes.size() : 0)) {
    fail("", std::string("there are ") + number(static_cast<std::int64_t>(model.subsets.size())) +
                 " LBP subsets for " + number(static_cast<std::int64_t>(model.nodes.size())) +
                 (subsets ? " nodes" : " Haar nodes"));
  }
}

void check_rules(const ModelRules& rules) {
  const bool known = (rules.sum == SumRule::kStage || rules.sum == SumRule::kRunning) &&
                     rules.step == StepRule::kTwoBelowScaleTwo && rules.scale == ScaleRule::kOpenCvList &&
                     (rules.flat == FlatRule::kOpenCvVariance || rules.flat == FlatRule::kNone);
  if (!known) fail("", "the cascade follows a rule that this version does not know", ErrorCode::kUnsupported);
  if (!std::isfinite(rules.threshold_slack)) fail("", "the threshold slack is not a finite number");
}

std::string rectangle(const Box& box) {
  return std::string("(") + number(box.x) + ", " + number(box.y) + ", " + number(box.width) + ", " +
         number(box.height) + ")";
}

// Whether `columns` x `rows` copies of the box, side by side, lie inside the window.
bool inside_upright(const Box& box, Size window, int columns, int rows) {
  const std::int64_t x = box.x, y = box.y, w = box.width, h = box.height;
  return x >= 0 && y >= 0 && w > 0 && h > 0 && x + columns * w <= window.width &&
         y + rows * h <= window.height;
}

// Whether the four corners of the tilted rectangle lie on the window's integral image. They are (x, y),
// (x - h, y + h), (x + w, y + w) and (x + w - h, y + w + h).
bool inside_tilted(const Box& box, Size window) {
  const std::int64_t x = box.x, y = box.y, w = box.width, h = box.height;
  return y >= 0 && w > 0 && h > 0 && x - h >= 0 && x + w <= window.width && y + w + h <= window.height;
}

void check_features(const CascadeModel& model) {
  for (std::size_t i = 0; i < model.haar.size(); ++i) {
    const HaarFeature& feature = model.haar[i];
    for (std::size_t r = 0; r < feature.rects.size(); ++r) {
      const HaarRect& rect = feature.rects[r];
      const std::string place = std::string("feature ") + number(static_cast<std::int64_t>(i));
      if (!std::isfinite(rect.weight)) fail(place, "a rectangle's weight is not a finite number");
      if (rect.weight == 0 && r > 0) {
        if (rect.box != Box{}) fail(place, "a rectangle of weight 0 is not empty");
        continue;
      }
      if (!(feature.tilted ? inside_tilted(rect.box, model.window)
                           : inside_upright(rect.box, model.window, 1, 1))) {
        fail(place, std::string(feature.tilted ? "the tilted rectangle " : "the rectangle ") +
                        rectangle(rect.box) + " is empty or not inside the window of " +
                        number(model.window.width) + " x " + number(model.window.height));
      }
    }
  }
  for (std::size_t i = 0; i < model.lbp.size(); ++i) {
    if (inside_upright(model.lbp[i].cell, model.window, 3, 3)) continue;
    fail(std::string("feature ") + number(static_cast<std::int64_t>(i)),
         std::string("the 3 x 3 grid of cells ") + rectangle(model.lbp[i].cell) +
             " is empty or not inside the window of " + number(model.window.width) + " x " +
             number(model.window.height));
  }
}

// Whether `value` is a whole number of score units (1 / kScoreUnit), and that number is from `least` to
// `most`.
bool whole_units(float value, int least, int most) {
  const double units = static_cast<double>(value) * kScoreUnit;
  return units == std::floor(units) && units >= least && units <= most;
}

// Checks the conditions under which the sums of a fixed-point cascade are exact.
void check_fixed_point(const CascadeModel& model) {
  if (!model.fixed_point()) return;
  if (model.rules.threshold_slack != 0)
    fail("", "nothing may be taken off the thresholds of a fixed-point cascade");
  const auto check_leaf = [](float leaf, const std::string& place) {
    if (!whole_units(leaf, kLeastLeafUnits, kMostLeafUnits))
      fail(place, "a leaf is not a whole number of 1/4096 in -8 to 8");
  };
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    if (!whole_units(model.stages[i].threshold, -kMostThresholdUnits, kMostThresholdUnits))
      fail("stage " + number(static_cast<std::int64_t>(i)),
           "the threshold is not a whole number of 1/4096 in -4096 to 4096");
  }
  for (const float leaf : model.leaves) check_leaf(leaf, "");
  for (const Tree& tree : model.trees) {
    if (model.mixed() && tree.node_count > 1) fail("", "a tree beside tables has more than one node");
    if (tree.node_count > kMaxFixedPointNodes)
      fail("", "in a fixed-point cascade, trees may have " + number(kMaxFixedPointNodes) + " nodes at most");
  }
  for (std::size_t i = 0; i < model.tables.size(); ++i) {
    const Table& table = model.tables[i];
    const std::string place = "table " + number(static_cast<std::int64_t>(i));
    if (table.feature < 0 || static_cast<std::size_t>(table.feature) >= model.haar.size())
      fail(place, "there is no feature " + number(table.feature));
    if (!std::isfinite(table.low) || !std::isfinite(table.per_unit) || table.per_unit < 0)
      fail(place, "its bins are not finite numbers");
    for (const float leaf : table.leaves) check_leaf(leaf, place);
  }
}

// Walks the stages in order, and checks each index against the range that earlier entries allow.
class Walk {
 public:
  explicit Walk(const CascadeModel& model) : model_(model), seen_(model.nodes.size(), 0) {}

  void run() {
    for (stage_ = 0; stage_ < model_.stages.size(); ++stage_) check_stage(model_.stages[stage_]);
    if (next_tree_ != weak()) fail("", "there are " + weak_name() + " that belong to no stage");
    if (next_node_ != size(model_.nodes)) fail("", "there are nodes that belong to no tree");
    if (next_leaf_ != size(model_.leaves)) fail("", "there are leaves that belong to no tree");
  }

 private:
  template <class T>
  static std::int64_t size(const std::vector<T>& list) {
    return static_cast<std::int64_t>(list.size());
  }
  std::int64_t weak() const { return static_cast<std::int64_t>(model_.weak_count()); }
  std::string weak_name() const {
    if (model_.mixed()) return "weak classifiers";
    return model_.tables.empty() ? "trees" : "tables";
  }
  std::string stage_place() const {
    return std::string("stage ") + number(static_cast<std::int64_t>(stage_));
  }
  std::string tree_place() const { return stage_place() + ", tree " + number(tree_); }
  std::string node_place(std::int64_t node) const { return tree_place() + ", node " + number(node); }

  void check_stage(const Stage& stage) {
    if (!std::isfinite(stage.threshold)) fail(stage_place(), "the threshold is not a finite number");
    if (stage.tree_count < 1) fail(stage_place(), "the stage has no " + weak_name());
    if (stage.first_tree != next_tree_ || stage.tree_count > weak() - next_tree_) {
      fail(stage_place(), "the stage's " + weak_name() + " are not where they should be");
    }
    const std::int64_t end = next_tree_ + stage.tree_count, tables = size(model_.tables);
    if (next_tree_ < tables && end > tables) fail(stage_place(), "the stage has both tables and trees");
    for (tree_ = 0; end > tables && tree_ < stage.tree_count; ++tree_)
      check_tree(model_.trees[static_cast<std::size_t>(next_tree_ - tables + tree_)]);
    next_tree_ = end;
  }

  void check_tree(const Tree& tree) {
    const std::int64_t count = tree.node_count;
    if (count < 1) fail(tree_place(), "the tree has no nodes");
    if (tree.first_node != next_node_ || count > size(model_.nodes) - next_node_) {
      fail(tree_place(), "the tree's nodes are not where they should be");
    }
    if (tree.first_leaf != next_leaf_ || count + 1 > size(model_.leaves) - next_leaf_) {
      fail(tree_place(), "the tree's leaves are not where they should be");
    }
    for (std::int64_t i = 0; i < count; ++i) check_node(i, count);
    check_connected(count);
    for (std::int64_t i = 0; i <= count; ++i) {
      if (!std::isfinite(model_.leaves[static_cast<std::size_t>(next_leaf_ + i)])) {
        fail(tree_place(), std::string("leaf ") + number(i) + " is not a finite number");
      }
    }
    next_node_ += count;
    next_leaf_ += count + 1;
  }

  void check_node(std::int64_t i, std::int64_t count) {
    const TreeNode& node = model_.nodes[static_cast<std::size_t>(next_node_ + i)];
    const bool lbp = model_.tree_kind() == FeatureKind::kLbp;
    if (!std::isfinite(node.threshold)) fail(node_place(i), "the threshold is not a finite number");
    if (lbp && node.threshold != 0) fail(node_place(i), "an LBP node has a threshold");
    if (node.feature < 0 || node.feature >= (lbp ? size(model_.lbp) : size(model_.haar))) {
      fail(node_place(i), std::string("there is no feature ") + number(node.feature));
    }
    for (const std::int64_t child : {std::int64_t{node.left}, std::int64_t{node.right}}) {
      if (child >= count)
        fail(node_place(i), std::string("there is no node ") + number(child) + " in the tree");
      if (child < -count)
        fail(node_place(i), std::string("there is no leaf ") + number(-child) + " in the tree");
    }
  }

  // Throws unless exactly one path leads from the root to each of the tree's `count` nodes. Uses a stack
  // instead of recursion, because a tree may be as deep as its number of nodes.
  void check_connected(std::int64_t count) {
    std::int64_t visited = 1;
    stack_.assign(1, 0);
    seen_[static_cast<std::size_t>(next_node_)] = 1;
    while (!stack_.empty()) {
      const std::int32_t i = stack_.back();
      stack_.pop_back();
      const TreeNode& node = model_.nodes[static_cast<std::size_t>(next_node_ + i)];
      for (const std::int32_t child : {node.left, node.right}) {
        if (child <= 0) continue;
        std::uint8_t& seen = seen_[static_cast<std::size_t>(next_node_ + child)];
        if (seen != 0)
          fail(node_place(i),
               std::string("node ") + number(child) + " is reached twice: the tree loops or joins");
        seen = 1;
        ++visited;
        stack_.push_back(child);
      }
    }
    if (visited == count) return;
    for (std::int64_t i = 0; i < count; ++i) {
      if (seen_[static_cast<std::size_t>(next_node_ + i)] == 0)
        fail(node_place(i), "the node is never reached from the root");
    }
  }

  const CascadeModel& model_;
  std::vector<std::uint8_t> seen_;
  std::vector<std::int32_t> stack_;
  std::size_t stage_ = 0;
  std::int64_t tree_ = 0, next_tree_ = 0, next_node_ = 0, next_leaf_ = 0;
};

}  // namespace

void check_model(const CascadeModel& model) {
  check_rules(model.rules);
  check_sizes(model);
  check_features(model);
  Walk(model).run();
  check_fixed_point(model);
  check_card(model.card);
  if (model.notes.size() > kMaxNotes) fail("", "the cascade has too many notes", ErrorCode::kLimit);
  for (const std::string& note : model.notes) check_text(note, "a note");
}

void check_card(const ModelCard& card) {
  check_text(card.name, "the card's name");
  check_text(card.kind, "the card's kind");
  check_text(card.source, "the card's source");
  check_text(card.terms, "the card's terms");
  if (card.search) check_search_defaults(*card.search);
  if (!card.place) return;
  if (!(card.place->margin >= 0 && card.place->margin < 0.5))
    fail("", "the card's margin must be from 0 to below 0.5");
  if (!(card.place->aspect >= 0 && card.place->aspect <= 100))
    fail("", "the card's aspect must be from 0 to 100");
}

void make_canonical(CascadeModel& model) {
  for (HaarFeature& feature : model.haar) {
    for (std::size_t r = 1; r < feature.rects.size(); ++r) {
      if (feature.rects[r].weight == 0) feature.rects[r] = HaarRect{};
    }
  }
  if (model.nodes.size() != model.trees.size() || model.leaves.size() != 2 * model.trees.size()) return;
  for (const Tree& tree : model.trees) {
    if (tree.node_count != 1) return;
  }
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    TreeNode& node = model.nodes[i];
    if (node.left > 0 || node.left < -1 || node.right > 0 || node.right < -1) continue;
    const float left = model.leaves[2 * i + (node.left == 0 ? 0 : 1)];
    const float right = model.leaves[2 * i + (node.right == 0 ? 0 : 1)];
    node.left = 0;
    node.right = -1;
    model.leaves[2 * i] = left;
    model.leaves[2 * i + 1] = right;
  }
}

ModelRules opencv_rules(FeatureKind kind) {
  ModelRules rules;
  if (kind == FeatureKind::kLbp) rules.flat = FlatRule::kNone;
  return rules;
}

}  // namespace winnow
