// Checks whether a checkpoint's state can belong to a training, as train/checkpoint.h declares; its opening
// comment holds here.
#include <algorithm>
#include <cmath>

#include "train/checkpoint.h"

namespace winnow {
namespace {

// A leaf lies from -kMostLeaf to kMostLeaf (unit: 1 / kScoreUnit), so all scores of a stage fit 32 bits.
constexpr std::int32_t kMostLeaf = 1 << 15;

bool good_rule(const BinRule& rule) {
  return std::isfinite(rule.low) && std::isfinite(rule.per_unit) && rule.per_unit >= 0;
}

}  // namespace

bool fits(const StageStart& start, const RunFeatures& features, const Pack& pack,
          const CascadeOptions& options) {
  const CascadeModel& model = start.model;
  if (start.stage < 0 || start.stages.size() != static_cast<std::size_t>(start.stage) + 1) return false;
  if (start.stage > 0 &&
      (model.window != pack.window || model.kind != features.list.kind ||
       (options.soft() ? model.weak_count() != start.weak.size() : std::ssize(model.stages) != start.stage)))
    return false;
  if (options.soft() ? (start.stage > 0) == start.weak.empty() : !start.weak.empty()) return false;
  return start.rules.size() == features.compiled.size() &&
         std::all_of(start.rules.begin(), start.rules.end(), good_rule) &&
         start.alive.size() == pack.positive_count() &&
         std::all_of(start.alive.begin(), start.alive.end(), [](std::uint8_t a) { return a <= 1; }) &&
         std::count(start.alive.begin(), start.alive.end(), 1) > 0 && !start.places.empty() &&
         start.places.size() <= start.pixels.size() &&
         start.pixels.size() == start.places.size() * pack.positive_bytes() &&
         start.position < std::uint64_t{1} << 48 && std::isfinite(start.seconds);
}

bool fits(const WeakTree& tree, const RunFeatures& features, const CascadeOptions& options) {
  const auto nodes = std::ssize(tree.nodes), leaves = std::ssize(tree.leaves);
  const bool table = options.weak == WeakKind::kTable;
  if (nodes < 1 || nodes >= 1 << options.depth || leaves != (table ? kTableBins : nodes + 1)) return false;
  const bool haar = features.list.kind == FeatureKind::kHaar;
  for (std::ptrdiff_t n = 0; n < nodes; ++n) {
    const WeakNode& node = tree.nodes[static_cast<std::size_t>(n)];
    if (node.feature < 0 || node.feature >= features.list.size()) return false;
    if (table) continue;
    if (haar && (node.last < 0 || node.last >= kBins - 1 ||
                 !(features.rules[static_cast<std::size_t>(node.feature)].per_unit > 0)))
      return false;
    // Children come after their parents, so every walk through the tree ends.
    for (const std::int32_t child : {node.left, node.right}) {
      if (child > 0 ? child <= n || child >= nodes : child <= -leaves) return false;
    }
  }
  return std::all_of(tree.leaves.begin(), tree.leaves.end(),
                     [](std::int32_t leaf) { return leaf > -kMostLeaf && leaf < kMostLeaf; });
}

}  // namespace winnow
