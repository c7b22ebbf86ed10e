// Computes what hog/hog_lanes.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/hog_lanes_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "hog/grown.h"
#include "hog/hog_lanes.h"
#include "hog/rows/block_row.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using D16 = hn::RepartitionToNarrow<DI>;
using D4 = hn::FixedTag<float, 4>;
using VF = hn::Vec<DF>;

// Sums the votes of kVoteRowsAtOnce rows of pixels along x. The rows take turns, since each sum waits for the
// sum before it. `votes[r]` are `here` and `next` of row r (`VoteRow`). `places[r]` are the offsets of both
// bins. A cell's pixels vote for both cells of the block that begins with the cell, and for both cells of the
// block that ends with the cell. `row_sums[r]` is [block][bin][left or right cell].
void AddAcross(const float* const votes[kVoteRowsAtOnce][2],
               const std::int32_t* const places[kVoteRowsAtOnce][2], int cells, int cell, int bins,
               const float* HWY_RESTRICT beside, float* const row_sums[kVoteRowsAtOnce]) {
  constexpr int kRows = kVoteRowsAtOnce;
  const D4 d;
  const hn::FixedTag<float, 2> d2;
  HWY_ALIGN float sums[kRows][4 * kMaxHogLaneBins];
  for (int r = 0; r < kRows; ++r) std::fill_n(sums[r], 4 * bins, 0.f);
  for (int c = 0, x = 0; c < cells; ++c) {
    for (int i = 0; i < cell; ++i, ++x) {
      const auto weights = hn::Load(d, beside + 4 * i);
      for (int r = 0; r < kRows; ++r) {
        float* const at = sums[r] + places[r][0][x];
        hn::Store(hn::Add(hn::Load(d, at), hn::Mul(hn::Set(d, votes[r][0][x]), weights)), d, at);
        float* const after = sums[r] + places[r][1][x];
        hn::Store(hn::Add(hn::Load(d, after), hn::Mul(hn::Set(d, votes[r][1][x]), weights)), d, after);
      }
    }
    for (int r = 0; r < kRows; ++r) {
      float* to = row_sums[r] + static_cast<std::ptrdiff_t>(c - 1) * 2 * bins;
      for (int bin = 0; bin < bins; ++bin) {
        const auto all = hn::Load(d, sums[r] + 4 * bin);
        if (c > 0) hn::StoreU(hn::UpperHalf(d2, all), d2, to + 2 * bin);
        hn::Store(hn::Combine(d, hn::LowerHalf(d2, all), hn::Zero(d2)), d, sums[r] + 4 * bin);
      }
    }
  }
}

// Adds the rows of a band to the sums of blocks. `old` are the sums of the row of blocks that ends with the
// band: upper cells, then lower cells. `fresh` are the sums of the row of blocks that begins with the band.
void AddDown(const float* const* rows, int cell, const float* HWY_RESTRICT down, int count,
             float* const old[2], float* const fresh[2]) {
  const DF d;
  const float *upper = down, *lower = down + 2 * cell;
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    VF old0 = hn::LoadU(d, old[0] + x), old1 = hn::LoadU(d, old[1] + x), new0 = hn::Zero(d),
       new1 = hn::Zero(d);
    for (int i = 0; i < cell; ++i) {
      const VF row = hn::LoadU(d, rows[i] + x);
      new0 = hn::Add(new0, hn::Mul(row, hn::Set(d, upper[i])));
      if (lower[i] != 0) new1 = hn::Add(new1, hn::Mul(row, hn::Set(d, lower[i])));
      if (upper[cell + i] != 0) old0 = hn::Add(old0, hn::Mul(row, hn::Set(d, upper[cell + i])));
      old1 = hn::Add(old1, hn::Mul(row, hn::Set(d, lower[cell + i])));
    }
    hn::StoreU(old0, d, old[0] + x);
    hn::StoreU(old1, d, old[1] + x);
    hn::StoreU(new0, d, fresh[0] + x);
    hn::StoreU(new1, d, fresh[1] + x);
  }
}

// Adds a row of blocks to the sums of the `rows` rows of windows that hold it. `to[n]`: the sums of one row
// of windows. In these windows, the row of blocks is row `numbers[n]`. Block b is item b / `step` of list b %
// `step` (`deal_blocks`).
void AddScores(const std::int32_t* HWY_RESTRICT blocks, int pitch, int step, const HogLanes& lanes,
               int columns, int count, const int* numbers, std::int32_t* const* to, int rows) {
  const DI di;
  const D16 d16;
  for (int first = 0; first < rows; first += kHogRowsAtOnce) {
    // Rows beyond the last repeat the first row, and their sums are not stored.
    int at[kHogRowsAtOnce];
    for (int j = 0; j < kHogRowsAtOnce; ++j) at[j] = numbers[first + j < rows ? first + j : 0];
    for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(di))) {
      auto t0 = hn::Zero(di), t1 = t0, t2 = t0, t3 = t0, t4 = t0;
      for (int i = 0; i < columns; ++i) {
        auto s0 = hn::Zero(di), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
        const std::int32_t* weights =
            lanes.pairs.data() + static_cast<std::ptrdiff_t>(i) * lanes.pair_count * lanes.rows;
        const std::int32_t* from =
            blocks + static_cast<std::ptrdiff_t>(i % step) * lanes.pair_count * pitch + x + i / step;
        for (int k = 0; k < lanes.pair_count; ++k, weights += lanes.rows, from += pitch) {
          const auto values = hn::BitCast(d16, hn::LoadU(di, from));
          const auto add = [&](int j, auto& sum) {
            // Each lane adds the products of its own pair of values. On x86-64 nothing is reordered.
            auto none = hn::Zero(di);
            sum = hn::ReorderWidenMulAccumulate(di, values, hn::BitCast(d16, hn::Set(di, weights[at[j]])),
                                                sum, none);
          };
          add(0, s0);
          add(1, s1);
          add(2, s2);
          add(3, s3);
          add(4, s4);
        }
        const int shift = lanes.form.shift;
        t0 = hn::Add(t0, hn::ShiftRightSame(s0, shift));
        t1 = hn::Add(t1, hn::ShiftRightSame(s1, shift));
        t2 = hn::Add(t2, hn::ShiftRightSame(s2, shift));
        t3 = hn::Add(t3, hn::ShiftRightSame(s3, shift));
        t4 = hn::Add(t4, hn::ShiftRightSame(s4, shift));
      }
      const decltype(t0) sums[kHogRowsAtOnce] = {t0, t1, t2, t3, t4};
      for (int j = 0; j < kHogRowsAtOnce && first + j < rows; ++j) {
        std::int32_t* const sum = to[first + j] + x;
        hn::StoreU(hn::Add(hn::LoadU(di, sum), sums[j]), di, sum);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(AddAcross);
HWY_EXPORT(AddDown);
HWY_EXPORT(AddScores);

}  // namespace

bool lanes_fit(const HogShape& shape) {
  return shape.cells() == Size{2, 2} && shape.block_stride == shape.cell &&
         shape.cell.width == shape.cell.height && shape.cell.width % 2 == 0 && shape.bins <= kMaxHogLaneBins;
}

HogLanes make_hog_lanes(const HogForm& form) {
  HogLanes lanes;
  lanes.form = form;
  const HogShape& shape = form.shape;
  const int cell = shape.cell.width, values = shape.block_values();
  for (int i = 0; i < cell; ++i) {
    for (const int block : {0, 1})
      for (const int side : {0, 1})
        lanes.beside.push_back(form.across[static_cast<std::size_t>(side * 2 * cell + block * cell + i)]);
  }
  const Size blocks = shape.blocks();
  lanes.pair_count = (values + 1) / 2;
  lanes.rows = blocks.height;
  lanes.pairs.assign(static_cast<std::size_t>(blocks.width) * lanes.pair_count * lanes.rows, 0);
  for (int i = 0; i < blocks.width; ++i) {
    for (int j = 0; j < blocks.height; ++j) {
      const std::int16_t* weights =
          form.weights.data() + static_cast<std::ptrdiff_t>(i * blocks.height + j) * values;
      for (int k = 0; k < values; ++k) {
        const auto weight = static_cast<std::uint32_t>(static_cast<std::uint16_t>(weights[k]));
        auto& pair = lanes.pairs[(static_cast<std::size_t>(i) * lanes.pair_count + k / 2) * lanes.rows + j];
        pair = static_cast<std::int32_t>(static_cast<std::uint32_t>(pair) | weight << (16 * (k % 2)));
      }
    }
  }
  return lanes;
}

namespace {

// Walks down the rows of pixels of an area. Calls `take(lattice, row, pitch)` for each row of blocks of each
// lattice, once `scratch.blocks` holds the row. `lattices`: the lattices of the area, in order of y, then x.
// `columns`: the number of lattices that have the same y.
template <class Take>
void walk_blocks(const HogLanes& lanes, std::span<const GrayView> planes, Size level, const Box& area,
                 std::span<const Lattice> lattices, std::size_t columns, HogScratch& scratch, Take take) {
  const HogForm& form = lanes.form;
  const HogShape& shape = form.shape;
  const int cell = shape.cell.width, bins = shape.bins, values = shape.block_values();
  const Size window = shape.blocks();
  const int kept = cell + kVoteRowsAtOnce;  // rows of sums to keep: the rows of a band, and the newest rows
  scratch.columns.resize(columns);
  std::size_t row_sums = 0, sums = 0, widest = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    HogLaneColumn& column = scratch.columns[c];
    column.blocks = lattices[c].cols + window.width - 1;
    column.cells = column.blocks + 1;
    column.row_length = column.blocks * 2 * bins;
    column.row_pitch = whole_lanes(column.row_length);
    column.pitch = whole_lanes(column.blocks) + kHogLanes;
    column.first_row = row_sums;
    column.first_sum = sums;
    row_sums += static_cast<std::size_t>(kept) * column.row_pitch;
    sums += static_cast<std::size_t>(4) * column.row_pitch * (lattices.size() / columns);
    widest = std::max(widest, static_cast<std::size_t>(column.pitch));
  }
  grown(scratch.row_sums, row_sums);
  std::fill_n(grown(scratch.sums, sums), sums, 0.f);
  float* transposed = grown(scratch.transposed, static_cast<std::size_t>(values) * widest);
  std::fill_n(transposed, static_cast<std::size_t>(values) * widest, 0.f);
  grown(scratch.blocks, static_cast<std::size_t>(lanes.pair_count) * widest + 2 * kHogLanes);
  scratch.bands.resize(static_cast<std::size_t>(cell));
  scratch.votes.begin(form, planes, level, area);

  const auto complete_band = [&](std::size_t number, int band) {
    const Lattice& lattice = lattices[number];
    const HogLaneColumn& column = scratch.columns[number % columns];
    for (int i = 0; i < cell; ++i)
      scratch.bands[static_cast<std::size_t>(i)] =
          scratch.row_sums.data() + column.first_row +
          static_cast<std::size_t>((lattice.y + band * cell + i) % kept) * column.row_pitch;
    float* const all = scratch.sums.data() + column.first_sum + number / columns * 4 * column.row_pitch;
    float* const old[2] = {all + (band % 2) * 2 * column.row_pitch,
                           all + ((band % 2) * 2 + 1) * column.row_pitch};
    float* const fresh[2] = {all + ((band + 1) % 2) * 2 * column.row_pitch,
                             all + (((band + 1) % 2) * 2 + 1) * column.row_pitch};
    HWY_DYNAMIC_DISPATCH(AddDown)
    (scratch.bands.data(), cell, form.down.data(), column.row_length, old, fresh);
    if (band == 0) return;                  // no row of blocks ends with the first band
    const std::ptrdiff_t apart = 2 * bins;  // distance from a block's sum to the same sum of the next block
    for (int upper = 0; upper < 2; ++upper) {
      for (int value = 0; value < 2 * bins; ++value) {  // for each bin the left cell, then the right cell
        const float* from = old[upper] + value;
        float* to = transposed +
                    static_cast<std::ptrdiff_t>((value % 2 * 2 + upper) * bins + value / 2) * column.pitch;
        for (int block = 0; block < column.blocks; ++block, from += apart) to[block] = *from;
      }
    }
    normalise_row_cpu(transposed, values, column.pitch, form.length_offset, form.clip, scratch.blocks.data());
    take(number, band - 1, column.pitch);
  };

  for (int y = 0; y < area.height; y += kVoteRowsAtOnce) {
    const int count = std::min(kVoteRowsAtOnce, area.height - y);
    const VoteRow* const rows = scratch.votes.from(y);
    for (std::size_t c = 0; c < columns; ++c) {
      const HogLaneColumn& column = scratch.columns[c];
      const int x = lattices[c].x;
      const float* lengths_of[kVoteRowsAtOnce][2];
      const std::int32_t* places_of[kVoteRowsAtOnce][2];
      float* to[kVoteRowsAtOnce];
      for (int r = 0; r < kVoteRowsAtOnce; ++r) {
        const VoteRow& row = rows[r];
        lengths_of[r][0] = row.here + x, lengths_of[r][1] = row.next + x;
        places_of[r][0] = row.bins + x, places_of[r][1] = row.next_bins + x;
        to[r] = scratch.row_sums.data() + column.first_row +
                static_cast<std::size_t>((y + r) % kept) * column.row_pitch;
      }
      HWY_DYNAMIC_DISPATCH(AddAcross)
      (lengths_of, places_of, column.cells, cell, bins, lanes.beside.data(), to);
      for (std::size_t number = c; number < lattices.size(); number += columns) {
        for (int ended = y + 1 - lattices[number].y; ended <= y + count - lattices[number].y; ++ended) {
          const int band = ended / cell - 1;
          if (ended > 0 && ended % cell == 0 && band < lattices[number].rows + window.height)
            complete_band(number, band);
        }
      }
    }
  }
}

// Distributes a row of blocks over `step` lists, so that blocks of neighbouring windows lie side by side.
// Block b becomes item b / `step` of list b % `step`. A list is `pitch` long, like the row.
const std::int32_t* deal_blocks(int pairs, int step, int pitch, HogScratch& scratch) {
  std::int32_t* const lists =
      grown(scratch.dealt, static_cast<std::size_t>(step) * pairs * pitch + 2 * kHogLanes);
  for (int pair = 0; pair < pairs; ++pair) {
    const std::int32_t* from = scratch.blocks.data() + static_cast<std::ptrdiff_t>(pair) * pitch;
    for (int list = 0; list < step; ++list) {
      std::int32_t* to = lists + (static_cast<std::ptrdiff_t>(list) * pairs + pair) * pitch;
      for (int block = list; block < pitch; block += step) *to++ = from[block];
    }
  }
  return lists;
}

std::size_t list_lattices(const Level& level, int cell, std::vector<Lattice>& lattices) {
  lattices.clear();
  each_lattice(level, cell, [&](const Lattice& lattice) { lattices.push_back(lattice); });
  return static_cast<std::size_t>(
      std::count_if(lattices.begin(), lattices.end(), [](const Lattice& lattice) { return lattice.y == 0; }));
}

}  // namespace

void hog_level_cpu(const HogLanes& lanes, std::span<const GrayView> planes, const Level& level,
                   std::int64_t min_sum, HogScratch& scratch) {
  const HogForm& form = lanes.form;
  const HogShape& shape = form.shape;
  const Size window = shape.blocks();
  const std::size_t columns = list_lattices(level, shape.cell.width, scratch.lattices);
  if (scratch.lattices.empty()) return;
  const Box area{level.corner.x, level.corner.y, (level.cols - 1) * level.step + shape.window.width,
                 (level.rows - 1) * level.row_step + shape.window.height};
  // Each lattice keeps the sums of its newest rows of windows.
  const auto windows_of = [](const Lattice& lattice) {
    return (lattice.cols + lattice.step.width - 1) / lattice.step.width;
  };
  const auto score_pitch = static_cast<std::size_t>(whole_lanes(windows_of(scratch.lattices.front())));
  const std::size_t lattice_scores = score_pitch * static_cast<std::size_t>(window.height);
  grown(scratch.scores, lattice_scores * scratch.lattices.size());
  scratch.numbers.resize(static_cast<std::size_t>(window.height));
  scratch.rows_of_windows.resize(static_cast<std::size_t>(window.height));
  const std::size_t before = scratch.survivors.size();
  walk_blocks(lanes, planes, {level.width, level.height}, area, scratch.lattices, columns, scratch,
              [&](std::size_t number, int row, int pitch) {
                const Lattice& lattice = scratch.lattices[number];
                const Size step = lattice.step;
                const auto scores_of = [&](int window_row) {
                  return scratch.scores.data() + number * lattice_scores +
                         static_cast<std::size_t>(window_row % window.height) * score_pitch;
                };
                int count = 0;
                for (int j = row % step.height; j < window.height && j <= row; j += step.height) {
                  if (row - j >= lattice.rows) continue;
                  scratch.numbers[static_cast<std::size_t>(count)] = j;
                  scratch.rows_of_windows[static_cast<std::size_t>(count++)] = scores_of(row - j);
                  if (j == 0) std::fill_n(scores_of(row), score_pitch, 0);
                }
                if (count > 0) {
                  const std::int32_t* blocks = scratch.blocks.data();
                  if (step.width > 1) blocks = deal_blocks(lanes.pair_count, step.width, pitch, scratch);
                  HWY_DYNAMIC_DISPATCH(AddScores)
                  (blocks, pitch, step.width, lanes, window.width, windows_of(lattice),
                   scratch.numbers.data(), scratch.rows_of_windows.data(), count);
                }
                const int finished = row - (window.height - 1);  // the row of windows that is now complete
                if (finished < 0 || finished % step.height != 0) return;
                const std::int32_t* const wholes = scores_of(finished);
                std::int64_t id = lattice.first_window + static_cast<std::int64_t>(finished / step.height) *
                                                             lattice.period.height * level.cols;
                for (int x = 0; x < windows_of(lattice); ++x, id += lattice.period.width)
                  if (wholes[x] >= min_sum) scratch.survivors.push_back({id, form.score(wholes[x])});
              });
  if (scratch.lattices.size() > 1) {
    std::sort(scratch.survivors.begin() + static_cast<std::ptrdiff_t>(before), scratch.survivors.end(),
              [](const Survivor& a, const Survivor& b) { return a.window < b.window; });
  }
}

void describe_lanes_cpu(const HogLanes& lanes, std::span<const GrayView> planes, Size level, BlockGrid& grid,
                        HogScratch& scratch) {
  const HogShape& shape = lanes.form.shape;
  const Size window = shape.blocks();
  // A level whose windows lie one step of the grid apart, with as many windows as the grid's blocks allow.
  const int cell = shape.cell.width;
  Level places;
  places.step = grid.step.width, places.row_step = grid.step.height;
  const auto count = [&](int blocks, int step, int of_window) {
    return blocks - (of_window - 1) * (cell / step);
  };
  places.cols = count(grid.count.width, places.step, window.width);
  places.rows = count(grid.count.height, places.row_step, window.height);
  const std::size_t columns = list_lattices(places, cell, scratch.lattices);
  const Box area{grid.corner.x, grid.corner.y, (places.cols - 1) * places.step + shape.window.width,
                 (places.rows - 1) * places.row_step + shape.window.height};
  grid.make_room();
  walk_blocks(lanes, planes, level, area, scratch.lattices, columns, scratch,
              [&](std::size_t number, int row, int pitch) {
                const Lattice& lattice = scratch.lattices[number];
                const HogLaneColumn& column = scratch.columns[number % columns];
                const std::ptrdiff_t y = (lattice.y + row * cell) / grid.step.height;
                for (int block = 0; block < column.blocks; ++block) {
                  const std::ptrdiff_t x = (lattice.x + block * cell) / grid.step.width;
                  std::int16_t* to = grid.blocks.data() + (y * grid.count.width + x) * grid.values;
                  unpack_block(scratch.blocks.data() + block, pitch, grid.values, to);
                }
              });
}

}  // namespace winnow
#endif  // HWY_ONCE
