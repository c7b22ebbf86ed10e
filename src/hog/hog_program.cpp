#include "hog/hog_program.h"

#include <algorithm>
#include <numeric>

#include "hog/lattice.h"

namespace winnow {
namespace {

HogDeviceLevel grid_of(const HogShape& shape, const HogLayout& layout, const Level& level, int number,
                       const Lattice& lattice) {
  const Size blocks = shape.blocks();
  HogDeviceLevel grid;
  grid.width = level.width;
  grid.height = level.height;
  grid.cols = lattice.cols;
  grid.rows = lattice.rows;
  grid.number = number;
  grid.x = level.corner.x + lattice.x;
  grid.y = level.corner.y + lattice.y;
  grid.step = lattice.step;
  grid.period = lattice.period;
  grid.window_cols = level.cols;
  grid.first_window = lattice.first_window;
  grid.block_cols =
      (grid.cols - 1) * layout.window_step.width + (blocks.width - 1) * layout.block_stride.width + 1;
  grid.block_rows =
      (grid.rows - 1) * layout.window_step.height + (blocks.height - 1) * layout.block_stride.height + 1;
  grid.area = {(grid.block_cols - 1) * layout.step.width + shape.block.width,
               (grid.block_rows - 1) * layout.step.height + shape.block.height};
  return grid;
}

void add_strips(const HogDeviceLevel& grid, int level, int rows, std::vector<HogStrip>& strips) {
  for (int row = 0; row < grid.block_rows; row += rows) {
    for (int col = 0; col < grid.block_cols; col += kHogStripBlocks)
      strips.push_back({level, col, row, std::min(row + rows, grid.block_rows)});
  }
}

void add_score_tiles(const HogDeviceLevel& grid, int level, std::vector<HogScoreTile>& tiles) {
  const std::int64_t items = std::int64_t{grid.block_rows} * grid.cols;
  for (std::int64_t first = 0; first < items; first += kHogScoreItems) tiles.push_back({first, level});
}

}  // namespace

bool strips_fit(const HogShape& shape) {
  constexpr int kCell = kHogStripCell;
  return shape.block == Size{2 * kCell, 2 * kCell} && shape.cell == Size{kCell, kCell} &&
         shape.block_stride == shape.cell && shape.bins == kHogStripBins;
}

bool score_tiles_fit(const HogShape& shape, const HogLayout& layout) {
  return layout.window_step == Size{1, 1} && layout.block_stride == Size{1, 1} &&
         hog_score_bytes(shape) <= kMostHogScoreBytes;
}

HogLayout lay_hog(const HogForm& form, const LevelPlan& plan, int batch, const HogLimits& limits) {
  const HogShape& shape = form.shape;
  HogLayout layout;
  if (plan.levels.empty()) return layout;
  // HOG SVMs have `StepRule::kFixed`: the step is the same on every level.
  const Size step{plan.levels.front().step, plan.levels.front().row_step};
  const bool strips = strips_fit(shape);
  layout.step = strips ? shape.cell
                       : Size{std::gcd(step.width, shape.block_stride.width),
                              std::gcd(step.height, shape.block_stride.height)};
  layout.window_step =
      strips ? Size{1, 1} : Size{step.width / layout.step.width, step.height / layout.step.height};
  layout.block_stride = {shape.block_stride.width / layout.step.width,
                         shape.block_stride.height / layout.step.height};
  layout.aligned = step.width % kHogStripCell == 0;
  const bool tiles = score_tiles_fit(shape, layout);
  const std::int64_t pairs = hog_pairs(shape);

  std::int64_t bytes = 0;  // bytes that one frame takes in the newest pass
  const auto add = [&](const HogDeviceLevel& of, std::int64_t windows) {
    const int number = static_cast<int>(layout.levels.size());
    HogDeviceLevel grid = of;
    const std::int64_t words = grid.blocks() * pairs, sums = std::int64_t{grid.cols} * grid.rows,
                       votes = strips ? 0 : std::int64_t{grid.area.width} * grid.area.height;
    layout.aligned = layout.aligned && grid.x % kHogStripCell == 0;
    layout.inside = layout.inside && grid.x >= 0 && grid.y >= 0 && grid.x + grid.area.width <= grid.width &&
                    grid.y + grid.area.height <= grid.height;
    const std::int64_t more = 4 * words + 4 * sums + 12 * votes;
    if (layout.passes.empty() || bytes + more > limits.pass_bytes) {
      HogPass pass;
      pass.first_level = number;
      pass.first_strip = static_cast<std::uint32_t>(layout.strips.size());
      pass.first_score_tile = static_cast<std::uint32_t>(layout.score_tiles.size());
      layout.passes.push_back(pass);
      bytes = 0;
    }
    bytes += more;
    HogPass& pass = layout.passes.back();
    pass.last_level = number + 1;
    grid.first_word = pass.words;
    grid.first_sum = pass.sums;
    grid.first_vote = pass.votes;
    pass.windows += windows;
    pass.words += words;
    pass.sums += sums;
    pass.votes += votes;
    if (strips) add_strips(grid, number, limits.strip_rows, layout.strips);
    if (tiles) add_score_tiles(grid, number, layout.score_tiles);
    pass.strips = static_cast<std::uint32_t>(layout.strips.size()) - pass.first_strip;
    pass.score_tiles = static_cast<std::uint32_t>(layout.score_tiles.size()) - pass.first_score_tile;
    // The newest pass may still grow, so its number of frames is computed anew with each level.
    const auto fit = static_cast<int>(
        std::clamp<std::int64_t>(limits.pass_bytes / std::max<std::int64_t>(bytes, 1), 1, batch));
    const int rounds = (batch + fit - 1) / fit;
    pass.frames = (batch + rounds - 1) / rounds;
    layout.levels.push_back(grid);
  };
  for (std::size_t i = 0; i < plan.levels.size(); ++i) {
    const Level& level = plan.levels[i];
    const auto add_grid = [&](const Lattice& lattice) {
      add(grid_of(shape, layout, level, static_cast<int>(i), lattice), lattice.windows());
    };
    if (strips) {
      each_lattice(level, shape.cell.width, add_grid);
    } else if (level.cols > 0 && level.rows > 0) {
      add_grid({0, 0, level.cols, level.rows, {1, 1}, {1, 1}, level.first_window});
    }
  }
  for (const HogPass& pass : layout.passes) {
    layout.words = std::max(layout.words, pass.words * pass.frames);
    layout.sums = std::max(layout.sums, pass.sums * pass.frames);
    layout.votes = std::max(layout.votes, pass.votes * pass.frames);
  }
  return layout;
}

std::vector<std::int32_t> hog_score_weights(const HogForm& form) {
  const HogShape& shape = form.shape;
  const Size blocks = shape.blocks();
  const int values = shape.block_values(), pairs = hog_pairs(shape);
  std::vector<std::int32_t> list(
      static_cast<std::size_t>(hog_score_bands(shape) * hog_score_bytes(shape) / 4));
  const std::int16_t* weight = form.weights.data();
  for (int col = 0; col < blocks.width; ++col) {
    for (int row = 0; row < blocks.height; ++row) {
      const std::int64_t first =
          (std::int64_t{row / kHogScoreRows} * blocks.width + col) * pairs * 2 * kHogScoreRows +
          row % kHogScoreRows;
      for (int k = 0; k < values; ++k)
        list[static_cast<std::size_t>(first + std::int64_t{k} * kHogScoreRows)] = *weight++;
    }
  }
  return list;
}

std::vector<std::uint32_t> hog_weight_pairs(const HogForm& form) {
  const std::size_t values = static_cast<std::size_t>(form.shape.block_values());
  std::vector<std::uint32_t> list;
  for (std::size_t first = 0; first < form.weights.size(); first += values) {
    for (std::size_t k = 0; k < values; k += 2) {
      const auto word = [&](std::size_t at) {
        return at < values ? static_cast<std::uint32_t>(static_cast<std::uint16_t>(form.weights[first + at]))
                           : 0u;
      };
      list.push_back(word(k) | word(k + 1) << 16);
    }
  }
  return list;
}

}  // namespace winnow
