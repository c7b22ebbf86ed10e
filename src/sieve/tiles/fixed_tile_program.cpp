#include "sieve/tiles/fixed_tile_program.h"

#include <algorithm>
#include <cstddef>

#include "sieve/feature_shape.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

// The least number of items in the first and in the second chunk. The number then doubles from chunk to
// chunk, up to kLongestChunk, because fewer windows live.
constexpr int kFirstChunk = 2, kSecondChunk = 4, kLongestChunk = 16;
constexpr int kMostFactor = 127;

class Builder {
 public:
  Builder(const CascadeModel& model, FixedProgram& program) : model_(model), program_(program) {}

  void build(int most_items) {
    program_.running = model_.rules.sum == SumRule::kRunning;
    program_.tables = !model_.tables.empty();
    program_.mixed = model_.mixed();
    for (const Table& table : model_.tables) {
      for (const float leaf : table.leaves)
        program_.leaves.push_back(static_cast<std::int16_t>(fixed_units(leaf)));
    }
    // A block of threads copies kTableBins leaves for each of the first items to shared memory, even if the
    // item is a stump.
    if (program_.mixed) program_.leaves.resize(model_.weak_count() * kTableBins);
    for (const HaarFeature& feature : model_.haar) shapes_.push_back(shape_haar_wide(feature));
    for (const LbpFeature& feature : model_.lbp) shapes_.push_back(shape_lbp(feature));
    for (std::size_t s = 0; s < model_.stages.size(); ++s) add_stage(s);
    add_chunks(most_items);
  }

 private:
  void add_stage(std::size_t number) {
    const Stage& stage = model_.stages[number];
    for (int i = 0; i < stage.tree_count; ++i) {
      const int weak = stage.first_tree + i;
      program_.places.push_back(
          {static_cast<std::int32_t>(number), program_.running ? -1 : stage.first_tree});
      for (int layout = 0; layout < kTileLayouts; ++layout) {
        FixedItem item = model_.is_table(weak) ? table_item(weak, layout) : tree_item(weak, layout);
        item.fresh = i == 0 && !program_.running;
        item.limit = i + 1 < stage.tree_count ? kNoLimit : fixed_units(stage_limit(stage, model_.rules));
        program_.items[layout].push_back(item);
      }
    }
  }

  FixedItem table_item(int number, int layout) const {
    const Table& table = model_.tables[static_cast<std::size_t>(number)];
    FixedItem item = feature_item(table.feature, layout);
    item.low = table.low;
    item.per_unit = table.per_unit;
    return item;
  }

  FixedItem tree_item(int number, int layout) const {
    const Tree& tree = model_.tree_of(number);
    if (tree.node_count > 1) {
      FixedItem item{};
      item.index = static_cast<std::uint32_t>(number);
      item.shape = shape(FixedShape::kTree);
      return item;
    }
    const TreeNode& node = model_.nodes[static_cast<std::size_t>(tree.first_node)];
    FixedItem item = feature_item(model_.feature_number(node), layout);
    if (model_.tree_kind() == FeatureKind::kHaar) {
      item.threshold = node.threshold;
    } else {
      item.node = static_cast<std::uint32_t>(tree.first_node);
    }
    const auto leaf = [&](int child) {
      return static_cast<std::int16_t>(
          fixed_units(model_.leaves[static_cast<std::size_t>(tree.first_leaf - child)]));
    };
    item.leaf[0] = leaf(node.left);
    item.leaf[1] = leaf(node.right);
    return item;
  }

  static std::uint8_t shape(FixedShape shape) { return static_cast<std::uint8_t>(shape) & 15; }

  // `feature`: the number that `feature_number` gives.
  FixedItem feature_item(std::int32_t feature, int layout) const {
    const FeatureForm& form = shapes_[static_cast<std::size_t>(feature)];
    FixedItem item{};
    item.plane = form.tilted;
    item.shape = shape(shape_of(form));
    if (item.shape == shape(FixedShape::kFeature)) {
      item.index = static_cast<std::uint32_t>(feature);
      return item;
    }
    item.factor = static_cast<std::int8_t>(form.factor);
    put_corners(form, layout, program_.shape[layout], item);
    return item;
  }

  FixedShape shape_of(const FeatureForm& form) const {
    if (form.shape == FeatureShape::kLbp || form.shape == FeatureShape::kLbpWide) return FixedShape::kGrid;
    if (form.factor > kMostFactor) return FixedShape::kFeature;
    switch (form.shape) {
      case FeatureShape::kEdge:
        return FixedShape::kEdge;
      case FeatureShape::kLine:
        return FixedShape::kLine;
      case FeatureShape::kChecker:
        return FixedShape::kChecker;
      default:
        return FixedShape::kFeature;
    }
  }

  void add_chunks(int most_items) {
    int first = 0, wanted = program_.skips ? 1 : kFirstChunk;
    std::size_t stage = 0;
    while (stage < model_.stages.size()) {
      int end = first;
      do {
        end += model_.stages[stage++].tree_count;
      } while (stage < model_.stages.size() && end - first < wanted &&
               !(program_.skips && program_.chunks.empty()));
      if (end > most_items && !program_.chunks.empty()) return;
      program_.chunks.push_back({first, end});
      wanted = program_.chunks.size() == 1 ? kSecondChunk : std::min(2 * wanted, kLongestChunk);
      wanted = std::min(wanted, most_items - end);
      first = end;
    }
  }

  const CascadeModel& model_;
  FixedProgram& program_;
  std::vector<FeatureForm> shapes_;
};

}  // namespace

bool make_fixed_tile_program(const CascadeModel& model, FixedRoom room, FixedProgram& program) {
  program = {};
  // With a running sum, each window of a tile keeps its sum: 4 bytes.
  const int window_bytes = kTileWindowBytes + (model.rules.sum == SumRule::kRunning ? 4 : 0);
  if (!make_tile_program(model, room.block_bytes, window_bytes, program)) return false;
  Builder(model, program).build(room.most_items);
  return true;
}

}  // namespace winnow
