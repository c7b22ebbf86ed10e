// Gives a cascade as plain data, the same for every file format.
//
// In:     the room `model` reads this data from files; `Cascade` checks the data.
// Out:    lists of stages, weak classifiers and features that refer to each other by number. All numbers
//         count from 0.
// Exact:  values are those in the file, unchanged.
// Memory: each model owns its lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/plan_rules.h>
#include <winnow/search_defaults.h>

namespace winnow {

enum class FeatureKind : std::uint8_t { kHaar = 0, kLbp = 1 };

// A weighted rectangle of a Haar feature, in window pixels. In a tilted feature `x, y` is the topmost corner,
// `width` runs down to the right and `height` runs down to the left, as in OpenCV.
struct HaarRect {
  Box box;
  float weight = 0;
  bool operator==(const HaarRect&) const = default;
};

struct HaarFeature {
  std::array<HaarRect, 3> rects{};  // a second or third rectangle of weight 0 is unused
  bool tilted = false;
  bool operator==(const HaarFeature&) const = default;
};

// A 3 x 3 grid of equal cells; `cell` is the top left one. The feature's code has a bit for each outer cell
// whose sum is at least the middle cell's. Bit 7 is the top left cell; the others follow clockwise.
struct LbpFeature {
  Box cell;
  bool operator==(const LbpFeature&) const = default;
};

// `left` and `right`: a value above 0 is the number of a node of the same tree. Any other value means leaf
// -value of the same tree. A Haar node goes left if value * norm < threshold (`haar_value` and `window_norm`
// in src/sieve/stages_rule.h). An LBP node goes left if the code's bit is set in the subset with this node's
// number.
struct TreeNode {
  std::int32_t left = 0;
  std::int32_t right = 0;
  std::int32_t feature = 0;
  float threshold = 0;
  bool operator==(const TreeNode&) const = default;
};

struct Tree {
  std::int32_t first_node = 0;
  std::int32_t node_count = 0;
  std::int32_t first_leaf = 0;  // the tree has node_count + 1 leaves
  bool operator==(const Tree&) const = default;
};

// A weak classifier that maps the value of one Haar feature to a leaf. `table_bin` (src/sieve/stages_rule.h)
// gives the leaf's number.
inline constexpr int kTableBins = 16;
struct Table {
  std::int32_t feature = 0;
  float low = 0, per_unit = 0;  // the first bin begins at `low`; `per_unit` bins cover a range of 1
  std::array<float, kTableBins> leaves{};
  bool operator==(const Table&) const = default;
};

// A stage of tables or of trees. Weak classifiers have one numbering: all tables come before all trees. A
// stage rejects a window whose sum of leaves is below the threshold in use.
struct Stage {
  std::int32_t first_tree = 0;  // the number of the first weak classifier
  std::int32_t tree_count = 0;  // how many weak classifiers the stage has
  float threshold = 0;          // as in the file; a search subtracts `ModelRules::threshold_slack`
  bool operator==(const Stage&) const = default;
};

using LbpSubset = std::array<std::int32_t, 8>;  // bit c % 32 of word c / 32 stands for code c

// Where the object lies in a model's boxes.
struct ObjectPlace {
  double margin = 0;  // background at each side, as a fraction of the box's width or height; below 0.5
  double aspect = 0;  // the object's width for a height of 1; 0 if objects have no usual shape
  bool operator==(const ObjectPlace&) const = default;
};

// The origin of a model and its terms. A text is empty if the file does not give it.
struct ModelCard {
  std::string name;    // "haarcascade_frontalface_alt"
  std::string kind;    // the kind of object: "face"; "" if unknown
  std::string source;  // who trained the model on what data, or the file it was converted from
  std::string terms;
  std::optional<SearchDefaults> search{};  // for models that find objects; OpenCV's if there is no value
  std::optional<ObjectPlace> place{};      // without a value, boxes lie close around objects
  bool operator==(const ModelCard&) const = default;
};
// Throws for a text that no file can keep: kFormat if it is not clean UTF-8, kLimit above 64 KiB. kFormat for
// search defaults that no search takes, and for an impossible place.
WINNOW_API void check_card(const ModelCard& card);

enum class SumRule : std::uint8_t {
  kStage = 0,    // a stage's sum begins at zero
  kRunning = 1,  // the sum goes on from the stage before: a soft cascade
};
// Which windows are rejected as flat, for lack of contrast. kNone rejects none, and is for LBP.
enum class FlatRule : std::uint8_t { kOpenCvVariance = 0, kNone = 1 };

// The rules that go with a cascade. The defaults are the rules of OpenCV's Haar cascades.
struct ModelRules {
  SumRule sum = SumRule::kStage;
  StepRule step = StepRule::kTwoBelowScaleTwo;
  ScaleRule scale = ScaleRule::kOpenCvList;
  FlatRule flat = FlatRule::kOpenCvVariance;
  bool skip_after_first_stage_reject = true;
  float threshold_slack = 1e-5f;  // a search subtracts this, in float, from every stage threshold
  bool operator==(const ModelRules&) const = default;
};

// The unit of scores in fixed-point cascades, which have a running sum or tables, is 1 / kScoreUnit. Leaves
// and thresholds are whole numbers of units, so no sum is ever rounded, in whatever order leaves are added.
inline constexpr int kScoreBits = 12;
inline constexpr int kScoreUnit = 1 << kScoreBits;

struct CascadeModel {
  FeatureKind kind = FeatureKind::kHaar;
  Size window;
  std::vector<Stage> stages;
  std::vector<Tree> trees;
  std::vector<TreeNode> nodes;
  std::vector<float> leaves;
  std::vector<LbpSubset> subsets;  // LBP: one for each node
  std::vector<Table> tables;       // of Haar features
  std::vector<HaarFeature> haar;
  std::vector<LbpFeature> lbp;
  ModelRules rules;
  ModelCard card;
  std::vector<std::string> notes;  // unusual facts about the file, in sentences

  // Compares all that changes a verdict; card and notes are not compared.
  bool same_as(const CascadeModel& other) const {
    return kind == other.kind && window == other.window && stages == other.stages && trees == other.trees &&
           nodes == other.nodes && leaves == other.leaves && subsets == other.subsets &&
           tables == other.tables && haar == other.haar && lbp == other.lbp && rules == other.rules;
  }
  // Whether leaves, thresholds and sums are whole multiples of 1 / kScoreUnit.
  bool fixed_point() const { return rules.sum == SumRule::kRunning || !tables.empty(); }
  [[deprecated("use fixed_point()")]] bool counts() const { return fixed_point(); }
  std::size_t weak_count() const { return tables.size() + trees.size(); }
  // Whether trees follow tables. Such a cascade has a running sum, and its trees have one node and LBP
  // features.
  bool mixed() const { return !tables.empty() && !trees.empty(); }
  FeatureKind tree_kind() const { return tables.empty() ? kind : FeatureKind::kLbp; }
  bool is_table(std::int32_t weak) const { return weak < static_cast<std::int32_t>(tables.size()); }
  const Tree& tree_of(std::int32_t weak) const {  // `weak` must not be a table
    return trees[static_cast<std::size_t>(weak) - tables.size()];
  }
  // The number of a node's feature among all features. LBP features are numbered after Haar features.
  std::int32_t feature_number(const TreeNode& node) const {
    return node.feature + (tree_kind() == FeatureKind::kLbp ? static_cast<std::int32_t>(haar.size()) : 0);
  }
  bool tilted() const {
    return std::any_of(haar.begin(), haar.end(), [](const HaarFeature& f) { return f.tilted; });
  }
};

}  // namespace winnow
