#include "sieve/tiles/tile_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "sieve/feature_runs.h"
#include "sieve/stages_rule.h"
#include "sieve/tiles/flat_trees.h"

namespace winnow {
namespace {

constexpr int kMostPixels = 384;  // the most pixels in a row of a tile: 24 for each lane of half a warp

// The shared memory that a block needs. Planes come first. The bytes after the planes first hold sums of
// bands (`integrate_bands`), and later norms and lists of windows, and running sums or LBP subsets.
std::int64_t bytes_of(const TileShape& shape, bool tilted, int window_bytes) {
  const std::int64_t planes = std::int64_t{4} * shape.plane_words * (tilted ? 2 : 1);
  return planes + std::max(std::int64_t{window_bytes} * shape.rows * kTileCols,
                           std::int64_t{4} * shape.stride * kTileBands);
}

// Finds the shape with the most rows of windows that fits.
bool choose_shape(const CascadeModel& model, int layout, bool tilted, int block_bytes, int window_bytes,
                  TileShape& shape) {
  for (int rows = kMostTileRows; rows >= 4; rows -= 4) {
    shape = tile_shape(model.window, layout + 1, rows);
    const std::int64_t furthest = std::int64_t{4} * (model.window.height + 1) * shape.stride;
    if (shape.pixels <= kMostPixels && furthest <= std::numeric_limits<std::uint16_t>::max() &&
        bytes_of(shape, tilted, window_bytes) <= block_bytes)
      return true;
  }
  return false;
}

class Builder {
 public:
  Builder(const CascadeModel& model, DeviceProgram& program) : model_(model), program_(program) {}

  void build() {
    for (const HaarFeature& feature : model_.haar) shapes_.push_back(shape_haar_wide(feature));
    for (const LbpFeature& feature : model_.lbp) shapes_.push_back(shape_lbp(feature));
    for (const Stage& stage : model_.stages) add_stage(stage);
    for (int layout = 1; layout < kTileLayouts; ++layout) program_.items[layout] = program_.items[0];
    for (int layout = 0; layout < kTileLayouts; ++layout) {
      for (std::size_t i = 0; i < features_.size(); ++i) add_offsets(i, layout);
    }
    if (std::ranges::none_of(program_.stages, &TileStage::trees)) program_.path_words.clear();
  }

 private:
  static bool fits(FeatureShape shape) {
    return shape == FeatureShape::kEdge || shape == FeatureShape::kLine || shape == FeatureShape::kChecker ||
           shape == FeatureShape::kLbp || shape == FeatureShape::kLbpWide;
  }

  void add_stage(const Stage& stage) {
    const SummedStage from = sum_stage(model_, stage, shapes_);
    for (const StageNode& node : from.nodes) {
      check_corners(corners_);
      corners_ += shapes_[static_cast<std::size_t>(node.feature)].corners.size();
    }
    FlatStage trees;
    TileStage to{};
    to.first_run = static_cast<std::int32_t>(program_.runs.size());
    to.first_item = static_cast<std::int32_t>(features_.size());
    to.base = from.base;
    to.reject_below = from.reject_below;
    to.accept_from = from.accept_from;
    to.first_tree = stage.first_tree;
    to.tree_count = stage.tree_count;
    to.limit = stage_limit(stage, model_.rules);
    to.trees = !from.needs_doubles && !from.stumps && model_.kind == FeatureKind::kHaar &&
               flatten_trees(model_, stage, from.unit, trees);
    to.plain = from.needs_doubles || (!from.stumps && !to.trees);
    to.any_order = any_order(stage);
    if (to.trees) {
      to.base = trees.base;
      to.spread = true;
      for (const TreeSet& set : trees.sets) to.spread = add_set(set) && to.spread;
    } else if (!to.plain) {
      to.spread = add_stumps(from);
    }
    to.run_count = static_cast<std::int32_t>(program_.runs.size()) - to.first_run;
    to.item_count = static_cast<std::int32_t>(features_.size()) - to.first_item;
    program_.stages.push_back(to);
  }

  // `add_stumps` and `add_set` return whether all items have offsets.
  bool add_stumps(const SummedStage& stage) {
    bool all = true;
    for (const FeatureRun& run : stage.runs) {
      for (std::int32_t i = run.first; i < run.first + run.count; ++i) {
        const StageNode& node = stage.nodes[static_cast<std::size_t>(i)];
        add_item(shapes_[static_cast<std::size_t>(node.feature)], node.threshold, node.delta, node.subset, 0);
        add_to_run(i == run.first, run.shape, run.tilted);
      }
      all = all && fits(run.shape);
    }
    return all;
  }

  bool add_set(const TreeSet& set) {
    struct Node {
      const FlatNode* node;
      FeatureForm form;
    };
    std::vector<Node> nodes;
    for (const FlatNode& node : set.nodes)
      nodes.push_back(
          {&node, shapes_[static_cast<std::size_t>(model_.feature_number(model_.nodes[node.node]))]});
    const auto key = [](const Node& n) { return std::tuple(n.node->depth, n.form.tilted, n.form.shape); };
    std::ranges::stable_sort(nodes, {}, key);
    const std::size_t first = program_.runs.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto& [node, form] = nodes[i];
      add_item(form, model_.nodes[node->node].threshold, node->delta, node->node, node->path_word);
      add_to_run(i == 0 || key(nodes[i - 1]) != key(nodes[i]), form.shape, form.tilted);
      program_.runs.back().inner = node->depth > 0;
    }
    TileRun& begin = program_.runs[first];
    begin.path = set.path;
    begin.set_runs = static_cast<std::uint16_t>(program_.runs.size() - first);
    begin.set_items = static_cast<std::uint16_t>(nodes.size());
    return std::ranges::all_of(nodes, [](const Node& n) { return fits(n.form.shape); });
  }

  void add_item(const FeatureForm& form, float threshold, std::int32_t delta, int node,
                std::uint32_t path_word) {
    program_.items[0].push_back({{},
                                 threshold,
                                 delta,
                                 static_cast<std::int16_t>(form.factor),
                                 0,
                                 static_cast<std::uint32_t>(node),
                                 static_cast<std::uint32_t>(form.shape),
                                 form.tilted});
    program_.path_words.push_back(path_word);
    features_.push_back(form);
  }

  // Features whose shape has no item form are in runs of kRects. The items of these runs are judged as the
  // reference judges nodes.
  void add_to_run(bool new_one, FeatureShape shape, bool tilted) {
    if (new_one) {
      TileRun run{};
      run.shape = fits(shape) ? shape : FeatureShape::kRects;
      run.plane = tilted;
      run.first = static_cast<std::int32_t>(features_.size()) - 1;
      program_.runs.push_back(run);
    }
    ++program_.runs.back().count;
  }

  // Whether all leaves are multiples of one power of two and so small that a double holds every sum of leaves
  // exactly.
  bool any_order(const Stage& stage) const {
    double largest = 0, unit = 0;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      const Tree& tree = model_.trees[t];
      double of_tree = 0;
      for (int i = 0; i <= tree.node_count; ++i) {
        const float leaf = std::abs(model_.leaves[tree.first_leaf + i]);
        if (leaf == 0.f) continue;
        int exponent = 0;
        auto bits = static_cast<std::int64_t>(std::ldexp(std::frexp(leaf, &exponent), 24));
        const double own =
            std::ldexp(1.0, exponent - 24 + std::countr_zero(static_cast<std::uint64_t>(bits)));
        unit = unit == 0 ? own : std::min(unit, own);
        of_tree = std::max<double>(of_tree, leaf);
      }
      largest += of_tree;
    }
    return unit == 0 || largest < std::ldexp(unit, 53);
  }

  void add_offsets(std::size_t item, int layout) {
    if (fits(features_[item].shape))
      put_corners(features_[item], layout, program_.shape[layout], program_.items[layout][item]);
  }

  const CascadeModel& model_;
  DeviceProgram& program_;
  std::vector<FeatureForm> shapes_;    // shapes of the model's features
  std::size_t corners_ = 0;            // corners of all nodes so far
  std::vector<FeatureForm> features_;  // shapes of the items
};

std::uint32_t reversed(std::uint32_t word) {
  std::uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit) result |= (word >> bit & 1) << (31 - bit);
  return result;
}

void add_own_subsets(const CascadeModel& model, DeviceProgram& program) {
  std::int64_t room = kSubsetWordsEach * kTileThreads / kSubsetWords;
  for (const TileShape& shape : program.shape) {
    const std::int64_t used =
        std::int64_t{4} * shape.plane_words + std::int64_t{kTileWindowBytes} * shape.rows * kTileCols;
    room = std::min(room, (program.block_bytes - used) / (4 * kSubsetWords));
  }
  const auto& items = program.items[0];
  for (std::size_t i = 0; i < items.size() && static_cast<std::int64_t>(i) < room; ++i) {
    const LbpSubset& subset = model.subsets[items[i].node];
    for (int word = kSubsetWords - 1; word >= 0; --word)
      program.own_subsets.push_back(
          reversed(static_cast<std::uint32_t>(subset[static_cast<std::size_t>(word)])));
  }
}

}  // namespace

TileShape tile_shape(Size window, int step, int rows) {
  TileShape shape;
  shape.rows = rows;
  shape.pixels = (kTileCols - 1) * step + window.width;
  const int columns = (shape.pixels + 3) / 4 * 4 + 1;  // four columns are written at a time
  shape.half = (columns + 1) / 2;
  shape.stride = (step == 2 ? 2 * shape.half : columns) | 1;
  shape.plane_rows = (rows - 1) * step + window.height + 1;
  shape.plane_words = shape.stride * shape.plane_rows;
  return shape;
}

TileExtent tile_extent(const TileShape& shape, int step, int rows, int columns) {
  const int plane_rows = shape.plane_rows - (shape.rows - rows) * step;
  const int band = (plane_rows - 1 + kTileBands - 1) / kTileBands;
  return {static_cast<std::uint16_t>(rows),
          static_cast<std::uint16_t>(columns > 32 ? 2 : 1),
          static_cast<std::uint16_t>(shape.pixels - (kTileCols - columns) * step),
          static_cast<std::uint16_t>(band),
          plane_rows,
          (1 << 16) / band + 1};
}

CornerOffsets corner_offsets(const CascadeModel& model,
                             const std::function<std::int32_t(int x, int y, bool tilted)>& place) {
  CornerOffsets list;
  for (const HaarFeature& f : model.haar) {
    for (const HaarRect& rect : f.rects) {
      const bool there = rect.weight != 0.f, tilted = f.tilted && there;
      const Box r = there ? rect.box : Box{};
      list.push_back(place(r.x, r.y, tilted));
      list.push_back(tilted ? place(r.x - r.height, r.y + r.height, true) : place(r.x + r.width, r.y, false));
      list.push_back(tilted ? place(r.x + r.width, r.y + r.width, true) : place(r.x, r.y + r.height, false));
      list.push_back(tilted ? place(r.x + r.width - r.height, r.y + r.width + r.height, true)
                            : place(r.x + r.width, r.y + r.height, false));
    }
  }
  for (const LbpFeature& f : model.lbp) {
    for (int i = 0; i < 16; ++i)
      list.push_back(place(f.cell.x + i % 4 * f.cell.width, f.cell.y + i / 4 * f.cell.height, false));
  }
  return list;
}

std::int32_t tile_offset(int x, int y, int layout, bool tilted, const TileShape& shape) {
  const int column = layout == 1 ? (x >> 1) + (x & 1) * shape.half : x;
  return 4 * (y * shape.stride + column + (tilted ? shape.plane_words : 0));
}

bool make_tile_program(const CascadeModel& model, int block_bytes, int window_bytes, TileProgram& program) {
  program.kind = model.kind;
  program.window = model.window;
  program.skips = model.rules.skip_after_first_stage_reject;
  program.flat_windows = model.rules.flat == FlatRule::kOpenCvVariance;
  const int right = model.window.width - 1, bottom = model.window.height - 1;
  program.area = std::int64_t{right - 1} * (bottom - 1);
  if (program.flat_windows) program.flat_above = flat_above(static_cast<double>(program.area));
  if (model.kind == FeatureKind::kHaar) window_bytes += static_cast<int>(sizeof(float));
  program.tilted = model.tilted();
  const int inner[4][2] = {{1, 1}, {right, 1}, {1, bottom}, {right, bottom}};
  for (int layout = 0; layout < kTileLayouts; ++layout) {
    TileShape& shape = program.shape[layout];
    if (!choose_shape(model, layout, program.tilted, block_bytes, window_bytes, shape)) return false;
    program.block_bytes =
        std::max(program.block_bytes, static_cast<int>(bytes_of(shape, program.tilted, window_bytes)));
    for (int i = 0; i < 4; ++i)
      program.inner[layout][i] = tile_offset(inner[i][0], inner[i][1], layout, false, shape);
    program.corners[layout] = corner_offsets(
        model, [&](int x, int y, bool tilted) { return tile_offset(x, y, layout, tilted, shape); });
  }
  return true;
}

bool make_device_program(const CascadeModel& model, int block_bytes, DeviceProgram& program) {
  program = {};
  if (!make_tile_program(model, block_bytes, kTileWindowBytes, program)) return false;
  Builder(model, program).build();
  if (model.kind == FeatureKind::kLbp) add_own_subsets(model, program);
  return true;
}

}  // namespace winnow
