// Computes what hog/hog_grid.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/hog_grid_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "hog/grown.h"
#include "hog/hog_grid.h"
#include "hog/rows/block_row.h"
#include "model/hog_model.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using D16 = hn::RepartitionToNarrow<DI>;
using D4 = hn::FixedTag<float, 4>;
using VF = hn::Vec<DF>;

// Sums the votes of kVoteRowsAtOnce rows of a block along x, for four columns of cells. `to[r]`: the sums of
// row r, as [bin][cell]. A pixel outside a cell has weight 0 there, which changes no sum.
void AddRow(const VoteRow* const rows, int x, int width, const float* HWY_RESTRICT weights, int bins,
            float* const to[kVoteRowsAtOnce]) {
  const D4 d;
  HWY_ALIGN float sums[kVoteRowsAtOnce][4 * kMaxHogBins];
  for (int r = 0; r < kVoteRowsAtOnce; ++r) std::fill_n(sums[r], 4 * bins, 0.f);
  for (int i = 0; i < width; ++i) {
    const auto weight = hn::LoadU(d, weights + 4 * i);
    for (int r = 0; r < kVoteRowsAtOnce; ++r) {
      const VoteRow& row = rows[r];
      float* const at = sums[r] + row.bins[x + i];
      hn::Store(hn::Add(hn::Load(d, at), hn::Mul(hn::Set(d, row.here[x + i]), weight)), d, at);
      float* const after = sums[r] + row.next_bins[x + i];
      hn::Store(hn::Add(hn::Load(d, after), hn::Mul(hn::Set(d, row.next[x + i]), weight)), d, after);
    }
  }
  for (int r = 0; r < kVoteRowsAtOnce; ++r) std::copy_n(sums[r], 4 * bins, to[r]);
}

// For one row of cells in a row of blocks: adds up the sums of the rows of pixels, each times its weight.
void AddRows(const float* const* rows, int height, const float* HWY_RESTRICT weights, int count,
             float* HWY_RESTRICT sums) {
  const DF d;
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    VF sum = hn::Zero(d);
    for (int y = 0; y < height; ++y)
      if (weights[y] != 0) sum = hn::Add(sum, hn::Mul(hn::LoadU(d, rows[y] + x), hn::Set(d, weights[y])));
    hn::StoreU(sum, d, sums + x);
  }
}

// The sum of a block's values times weights.
std::int32_t Dot(const std::int16_t* HWY_RESTRICT values, const std::int16_t* HWY_RESTRICT weights,
                 int count) {
  const D16 d16;
  const DI di;
  const int lanes = static_cast<int>(hn::Lanes(d16));
  auto sum = hn::Zero(di), more = hn::Zero(di);
  int i = 0;
  for (; i + lanes <= count; i += lanes)
    sum =
        hn::ReorderWidenMulAccumulate(di, hn::LoadU(d16, values + i), hn::LoadU(d16, weights + i), sum, more);
  std::int32_t all = hn::GetLane(hn::SumOfLanes(di, hn::Add(sum, more)));
  for (; i < count; ++i) all += values[i] * weights[i];
  return all;
}

// The sum of a window over its blocks. `first`: the values of the window's first block. `across`, `down`: the
// distance to the next block's values in a row and in a column of blocks.
std::int32_t SumWindow(const HogForm& form, const std::int16_t* first, std::ptrdiff_t across,
                       std::ptrdiff_t down) {
  const Size blocks = form.shape.blocks();
  const int values = form.shape.block_values();
  const std::int16_t* weights = form.weights.data();
  std::int32_t whole = 0;
  for (int i = 0; i < blocks.width; ++i) {
    for (int j = 0; j < blocks.height; ++j, weights += values)
      whole += Dot(first + i * across + j * down, weights, values) >> form.shift;
  }
  return whole;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(AddRow);
HWY_EXPORT(AddRows);
HWY_EXPORT(SumWindow);

std::vector<float> grouped_cell_weights(const HogForm& form) {
  const int cells = form.shape.cells().width, width = form.shape.block.width;
  std::vector<float> weights;
  for (int first = 0; first < cells; first += 4) {
    for (int x = 0; x < width; ++x) {
      for (int c = first; c < first + 4; ++c)
        weights.push_back(c < cells ? form.across[static_cast<std::size_t>(c) * width + x] : 0.f);
    }
  }
  return weights;
}

void describe_grid_cpu(const HogForm& form, const std::vector<float>& cell_weights,
                       std::span<const GrayView> planes, Size level, BlockGrid& grid,
                       HogGridScratch& scratch) {
  const HogShape& shape = form.shape;
  const Size block = shape.block, cells = shape.cells(), count = grid.count, step = grid.step;
  const int bins = shape.bins, values = grid.values, quads = (cells.width + 3) / 4;
  const std::size_t block_floats = static_cast<std::size_t>(quads) * 4 * bins;  // sums of one row of a block
  const Box area = grid.area(block);
  grid.make_room();
  const int row_length = static_cast<int>(block_floats) * count.width, row_pitch = whole_lanes(row_length);
  // Rows of sums to keep: a block's rows, and the rows below the block that are made with its last row.
  const int kept = block.height + kVoteRowsAtOnce - 1;
  grown(scratch.row_sums, static_cast<std::size_t>(kept) * row_pitch);
  float* const block_sums = grown(scratch.block_sums, static_cast<std::size_t>(cells.height) * row_pitch);
  const int pitch = whole_lanes(count.width);
  float* const transposed = grown(scratch.transposed, static_cast<std::size_t>(values) * pitch);
  std::fill_n(transposed, static_cast<std::size_t>(values) * pitch, 0.f);
  std::int32_t* const pairs = grown(scratch.pairs, static_cast<std::size_t>((values + 1) / 2) * pitch);
  scratch.rows.resize(static_cast<std::size_t>(block.height));
  scratch.votes.begin(form, planes, level, area);
  const auto row_of = [&](int y) {
    return scratch.row_sums.data() + static_cast<std::size_t>(y % kept) * row_pitch;
  };

  int done = 0;  // rows of blocks that are done
  const auto finish_row = [&](int row) {
    for (int y = 0; y < block.height; ++y)
      scratch.rows[static_cast<std::size_t>(y)] = row_of(row * step.height + y);
    for (int r = 0; r < cells.height; ++r) {
      HWY_DYNAMIC_DISPATCH(AddRows)
      (scratch.rows.data(), block.height, form.down.data() + static_cast<std::ptrdiff_t>(r) * block.height,
       row_length, block_sums + static_cast<std::ptrdiff_t>(r) * row_pitch);
    }
    for (int c = 0; c < cells.width; ++c) {
      for (int r = 0; r < cells.height; ++r) {
        for (int bin = 0; bin < bins; ++bin) {
          const float* from =
              block_sums + static_cast<std::ptrdiff_t>(r) * row_pitch + (c / 4) * 4 * bins + bin * 4 + c % 4;
          float* to = transposed + static_cast<std::ptrdiff_t>((c * cells.height + r) * bins + bin) * pitch;
          for (int x = 0; x < count.width; ++x, from += block_floats) to[x] = *from;
        }
      }
    }
    normalise_row_cpu(transposed, values, pitch, form.length_offset, form.clip, pairs);
    std::int16_t* to = grid.blocks.data() + static_cast<std::ptrdiff_t>(row) * count.width * values;
    for (int x = 0; x < count.width; ++x, to += values) unpack_block(pairs + x, pitch, values, to);
  };

  for (int y = 0; y < area.height && done < count.height;) {
    const VoteRow* const rows = scratch.votes.from(y);
    for (int x = 0; x < count.width; ++x) {
      for (int g = 0; g < quads; ++g) {
        const std::size_t at =
            static_cast<std::size_t>(x) * block_floats + static_cast<std::size_t>(g) * 4 * bins;
        float* to[kVoteRowsAtOnce];
        for (int r = 0; r < kVoteRowsAtOnce; ++r) to[r] = row_of(y + r) + at;
        HWY_DYNAMIC_DISPATCH(AddRow)
        (rows, x * step.width, block.width,
         cell_weights.data() + static_cast<std::ptrdiff_t>(g) * 4 * block.width, bins, to);
      }
    }
    y += kVoteRowsAtOnce;
    while (done < count.height && done * step.height + block.height <= y) finish_row(done++);
  }
}

void hog_grid_level_cpu(const HogForm& form, const std::vector<float>& cell_weights,
                        std::span<const GrayView> planes, const Level& level, std::int64_t min_sum,
                        HogGridScratch& scratch) {
  if (level.cols <= 0 || level.rows <= 0) return;
  const HogShape& shape = form.shape;
  const Size steps{level.step, level.row_step};
  BlockGrid& grid = scratch.grid;
  lay_grid(shape, level.corner, {level.cols, level.rows}, steps, grid);
  describe_grid_cpu(form, cell_weights, planes, {level.width, level.height}, grid, scratch);
  const std::ptrdiff_t across = grid.across(shape), down = grid.down(shape);
  std::int64_t id = level.first_window;
  for (int y = 0; y < level.rows; ++y) {
    for (int x = 0; x < level.cols; ++x, ++id) {
      const std::int32_t whole = HWY_DYNAMIC_DISPATCH(SumWindow)(
          form, grid.at(x * steps.width / grid.step.width, y * steps.height / grid.step.height), across,
          down);
      if (whole >= min_sum) scratch.survivors.push_back({id, form.score(whole)});
    }
  }
}

}  // namespace winnow
#endif  // HWY_ONCE
