// Computes what hog/blocks/block_lanes.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/blocks/block_lanes_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "hog/blocks/block_lanes.h"
#include "hog/blocks/response_rule.h"
#include "hog/grown.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::ScalableTag<std::int16_t>;
using DU16 = hn::RebindToUnsigned<D16>;
using D32 = hn::RepartitionToWide<D16>;
using DF = hn::RebindToFloat<D32>;
using V16 = hn::Vec<D16>;

// Multiplies `a` and `b` lane by lane, and adds up each two neighbouring products. On x86-64 the sums keep
// the order of the lanes.
template <class D, class V>
HWY_INLINE hn::Vec<D> Pairs(D d, V a, V b) {
  auto none = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), none);
}

// The vote limit (`vote_limit`) of each gradient (dx, dy).
HWY_INLINE V16 Limits(V16 dx, V16 dy) {
  const D16 d;
  const D32 d32;
  const DF df;
  // Interleaving and demoting both work within blocks of 128 bits, so the limits keep the gradients' order.
  const V16 low = hn::InterleaveLower(d, dx, dy), high = hn::InterleaveUpper(d, dx, dy);
  const auto limit = [&](V16 both) {
    const auto squares = hn::ConvertTo(df, Pairs(d32, both, both));
    return hn::NearestInt(hn::Mul(hn::Sqrt(squares), hn::Set(df, kVoteLimit)));
  };
  return hn::ReorderDemote2To(d, limit(low), limit(high));
}

// Adds up the votes of a band: the `grid` rows of pixels in a row of cells. `rows`: the band's rows, with one
// row before and one row after. `votes`: one list for each orientation; each list begins `pitch` items after
// the one before. An item is the sum over 2 columns of pixels if `grid` is 2, else over 4.
void VoteBand(const std::uint8_t* const* rows, int grid, int width, std::uint32_t* HWY_RESTRICT votes,
              int pitch) {
  const D16 d;
  const DU16 du;
  const D32 d32;
  const hn::Rebind<std::uint8_t, D16> d8;
  const hn::RepartitionToWide<hn::RebindToUnsigned<D32>> d64;
  const hn::Rebind<std::uint32_t, decltype(d64)> half;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const auto ones = hn::Set(d, 1);
  for (int x = 0; x < width; x += lanes) {
    auto s0 = hn::Zero(du), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
    for (int r = 0; r < grid; ++r) {
      const auto pixels = [&](const std::uint8_t* row, int at) {
        return hn::PromoteTo(d, hn::LoadU(d8, row + x + at));
      };
      const V16 dx = hn::Sub(pixels(rows[r + 1], 1), pixels(rows[r + 1], -1));
      const V16 dy = hn::Sub(pixels(rows[r + 2], 0), pixels(rows[r], 0));
      const auto limit = hn::BitCast(du, Limits(dx, dy));
      const V16 across = hn::ShiftLeft<kVoteShift>(dx), down = hn::ShiftLeft<kVoteShift>(dy);
      const auto vote = [&](V16 projection) {
        return hn::SaturatedSub(hn::BitCast(du, hn::Abs(projection)), limit);
      };
      const auto both = [&](int k, auto& sum, auto& mirrored) {
        const V16 a = hn::MulFixedPoint15(across, hn::Set(d, kVoteAcross[k])),
                  b = hn::MulFixedPoint15(down, hn::Set(d, kVoteDown[k]));
        sum = hn::Add(sum, vote(hn::Add(a, b)));
        mirrored = hn::Add(mirrored, vote(hn::Sub(a, b)));
      };
      both(0, s0, s8);
      both(1, s1, s7);
      both(2, s2, s6);
      both(3, s3, s5);
      s4 = hn::Add(s4, vote(down));
    }
    std::uint32_t* to = votes + (grid == 2 ? x / 2 : x / 4);
    const auto store = [&](auto sum) {
      const auto pairs = Pairs(d32, hn::BitCast(d, sum), ones);
      if (grid == 2) {
        hn::StoreU(hn::BitCast(hn::RebindToUnsigned<D32>(), pairs), hn::RebindToUnsigned<D32>(), to);
      } else {
        const auto wide = hn::BitCast(d64, pairs);
        hn::StoreU(hn::TruncateTo(half, hn::Add(wide, hn::ShiftRight<32>(wide))), half, to);
      }
      to += pitch;
    };
    store(s0);
    store(s1);
    store(s2);
    store(s3);
    store(s4);
    store(s5);
    store(s6);
    store(s7);
    store(s8);
  }
}

// Makes a row of corners from the row of corners above and from the votes of the cells between both rows.
void AddCorners(const std::uint32_t* HWY_RESTRICT votes, int pitch, int cells,
                const std::uint32_t* HWY_RESTRICT above, std::uint32_t* HWY_RESTRICT row) {
  const hn::FixedTag<std::uint32_t, 4> d;
  auto run0 = hn::Zero(d), run1 = hn::Zero(d);
  std::uint32_t last = 0;
  for (int c = 0; c < cells; c += 4) {
    const auto transpose = [&](int bin, auto& v0, auto& v1, auto& v2, auto& v3) {
      const std::uint32_t* from = votes + bin * pitch + c;
      const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + pitch), e = hn::LoadU(d, from + 2 * pitch),
                 f = hn::LoadU(d, from + 3 * pitch);
      const auto low = hn::InterleaveLower(d, a, b), low2 = hn::InterleaveLower(d, e, f),
                 high = hn::InterleaveUpper(d, a, b), high2 = hn::InterleaveUpper(d, e, f);
      v0 = hn::ConcatLowerLower(d, low2, low);
      v1 = hn::ConcatUpperUpper(d, low2, low);
      v2 = hn::ConcatLowerLower(d, high2, high);
      v3 = hn::ConcatUpperUpper(d, high2, high);
    };
    hn::Vec<decltype(d)> a0, a1, a2, a3, b0, b1, b2, b3;
    transpose(0, a0, a1, a2, a3);
    transpose(4, b0, b1, b2, b3);
    const auto add = [&](int i, auto a, auto b) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(c + i + 1) * kCornerLanes;
      run0 = hn::Add(run0, a);
      run1 = hn::Add(run1, b);
      last += votes[8 * pitch + c + i];
      hn::Store(hn::Add(run0, hn::Load(d, above + at)), d, row + at);
      hn::Store(hn::Add(run1, hn::Load(d, above + at + 4)), d, row + at + 4);
      row[at + 8] = last + above[at + 8];
    };
    add(0, a0, b0);
    add(1, a1, b1);
    add(2, a2, b2);
    add(3, a3, b3);
  }
}

// Sums a HOG block's values times weights, and the squares of its values. `at`: the rows of corners at the
// block's top, middle and bottom, from the block of the row's first window on. `from`: the index of the
// block's left corner in `at`. `across`: the distance of neighbouring corners of the block in a row.
HWY_INLINE void SumBlock(const std::uint32_t* const at[3], std::ptrdiff_t from, int across,
                         const BlockLaneStage& stage, std::int32_t& product, std::int32_t& squares) {
  const hn::CappedTag<std::int32_t, kCornerLanes> d;
  const hn::RepartitionToNarrow<decltype(d)> d16;
  auto products = hn::Zero(d), lengths = hn::Zero(d);
  for (int lane = 0; lane < kVoteBins; lane += static_cast<int>(hn::Lanes(d))) {
    const auto corner = [&](int row, int column) {
      return hn::Load(d, reinterpret_cast<const std::int32_t*>(at[row] + from + lane + column * across));
    };
    const auto load = [&](const std::int32_t* weights) {
      return hn::BitCast(d16, hn::Load(d, weights + lane));
    };
    const auto top0 = corner(0, 0), top1 = corner(0, 1), top2 = corner(0, 2), middle0 = corner(1, 0),
               middle1 = corner(1, 1), middle2 = corner(1, 2), low0 = corner(2, 0), low1 = corner(2, 1),
               low2 = corner(2, 2);
    const auto left0 = hn::Sub(top1, top0), right0 = hn::Sub(top2, top1), left1 = hn::Sub(middle1, middle0),
               right1 = hn::Sub(middle2, middle1), left2 = hn::Sub(low1, low0), right2 = hn::Sub(low2, low1);
    const auto pair = [&](auto left, auto right) {
      return hn::BitCast(d16, hn::Or(hn::ShiftRightSame(left, stage.shift),
                                     hn::ShiftLeft<16>(hn::ShiftRightSame(right, stage.shift))));
    };
    const auto upper = pair(hn::Sub(left1, left0), hn::Sub(right1, right0)),
               lower = pair(hn::Sub(left2, left1), hn::Sub(right2, right1));
    products =
        hn::Add(products, hn::Add(Pairs(d, upper, load(stage.upper)), Pairs(d, lower, load(stage.lower))));
    lengths = hn::Add(lengths, hn::Add(Pairs(d, upper, upper), Pairs(d, lower, lower)));
  }
  product = hn::GetLane(hn::SumOfLanes(d, products));
  squares = hn::GetLane(hn::SumOfLanes(d, lengths));
}

// Judges a row of `count` windows. Neighbouring windows are `apart` corners apart. `corners[y]`: the row of
// corners that lies y cells below the windows' top. Leaves the windows that pass all stages in `alive` and
// their sums in `sums`. Returns the number of these windows. Both lists need room for kCornerLanes items
// beyond `count`. `reached[s]` grows by the number of windows that reach stage s.
int JudgeRow(const std::uint32_t* const* corners, int count, int apart, const BlockLanes& lanes,
             std::int32_t* HWY_RESTRICT alive, std::int32_t* HWY_RESTRICT sums, std::int64_t* reached) {
  const D32 d;
  const DF df;
  constexpr int kBatch = 16;
  static_assert(kBatch <= kCornerLanes);
  for (int i = 0; i < count; ++i) alive[i] = i, sums[i] = 0;
  for (std::size_t s = 0; s < lanes.stages.size() && count > 0; ++s) {
    reached[s] += count;
    const BlockLaneStage& stage = lanes.stages[s];
    const std::uint32_t* at[3];
    for (int i = 0; i < 3; ++i)
      at[i] = corners[stage.y + i * stage.cell_height] + static_cast<std::ptrdiff_t>(stage.x) * kCornerLanes;
    const int across = stage.cell_width * kCornerLanes;
    int kept = 0;
    for (int i = 0; i < count; i += kBatch) {
      HWY_ALIGN std::int32_t products[kBatch] = {}, squares[kBatch] = {};
      const int here = std::min(kBatch, count - i);
      for (int j = 0; j < here; ++j)
        SumBlock(at, static_cast<std::ptrdiff_t>(alive[i + j]) * apart * kCornerLanes, across, stage,
                 products[j], squares[j]);
      for (int j = 0; j < here; j += static_cast<int>(hn::Lanes(d))) {
        const auto length =
            hn::Add(hn::Sqrt(hn::ConvertTo(df, hn::Load(d, squares + j))), hn::Set(df, kBlockLengthFloor));
        const auto response = hn::Div(hn::ConvertTo(df, hn::Load(d, products + j)), length);
        const auto place =
            hn::Mul(hn::Sub(response, hn::Set(df, stage.first)), hn::Set(df, stage.bins_per_response));
        const auto bin = hn::ConvertTo(
            d, hn::Min(hn::Max(place, hn::Zero(df)), hn::Set(df, static_cast<float>(kHogTableBins - 1))));
        const auto sum = hn::Add(hn::LoadU(d, sums + i + j), hn::GatherIndex(d, stage.table, bin));
        const auto window = hn::LoadU(d, alive + i + j);
        const auto passes = hn::AndNot(hn::Lt(sum, hn::Set(d, stage.min_sum)),
                                       hn::FirstN(d, static_cast<std::size_t>(here - j)));
        hn::CompressStore(window, passes, d, alive + kept);
        kept += static_cast<int>(hn::CompressStore(sum, passes, d, sums + kept));
      }
    }
    count = kept;
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(VoteBand);
HWY_EXPORT(AddCorners);
HWY_EXPORT(JudgeRow);

constexpr int kPad = 64;  // lists are padded to multiples of this many items, so that whole vectors fit

int padded(int count) { return (count + kPad - 1) / kPad * kPad; }

template <class T>
T* aligned(T* at) {
  constexpr std::uintptr_t kAlignment = 64;
  return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(at) + kAlignment - 1) / kAlignment *
                              kAlignment);
}

// Keeps the rows of corners that a row of windows needs. A new row overwrites the oldest row.
class CornerRows {
 public:
  CornerRows(int cells, int rows, std::vector<std::uint32_t>& memory)
      : count_(rows), pitch_(static_cast<std::ptrdiff_t>(padded(cells + 4)) * kCornerLanes) {
    const std::size_t values = static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(rows);
    base_ = aligned(grown(memory, values + kCornerLanes));
    std::fill_n(base_, values, 0u);
  }
  std::uint32_t* row(int y) { return base_ + y % count_ * pitch_; }

 private:
  int count_;
  std::ptrdiff_t pitch_;
  std::uint32_t* base_;
};

// A ring of rows of pixels: the rows of a band (a row of cells), one row above and one row below. Each row
// has a border on both sides. `first`: the number of the first band.
class PixelBand {
 public:
  PixelBand(GrayView roots, const Level& level, int grid, int first, BlockScratch& scratch)
      : roots_(roots),
        level_(level),
        grid_(grid),
        scratch_(scratch),
        pitch_(padded(level.width) + 2 * kPad),
        made_(std::max(0, first * grid - 1)) {
    make_columns(roots.width, level.width, scratch.columns);
    scratch.columns.same = roots.width == level.width && roots.height == level.height;
    scratch.rows.forget();
    pixels_ = grown(scratch.pixels, static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(grid + 2));
  }

  // Gives the rows of pixels in cell row `band`, with one row above and one below. `band` must rise from call
  // to call.
  void rows(int band, const std::uint8_t** rows) {
    for (int i = -1; i <= grid_; ++i) {
      int y = band * grid_ + i;
      if (level_.height == 1) y = 0;
      if (y < 0) y = -y;
      if (y >= level_.height) y = 2 * level_.height - 2 - y;
      for (; made_ <= y; ++made_) make(made_);
      rows[i + 1] = slot(y);
    }
  }

 private:
  std::uint8_t* slot(int y) { return pixels_ + static_cast<std::ptrdiff_t>(y % (grid_ + 2)) * pitch_ + kPad; }
  void make(int y) {
    std::uint8_t* const row = slot(y);
    const int width = level_.width;
    resize_row_cpu(roots_, level_.height, scratch_.columns, 0, width, y, scratch_.rows, row);
    row[-1] = row[width > 1 ? 1 : 0];
    row[width] = row[width > 1 ? width - 2 : 0];
  }

  GrayView roots_;
  const Level& level_;
  int grid_;
  BlockScratch& scratch_;
  int pitch_;
  std::uint8_t* pixels_;
  int made_;  // the next row to make
};

}  // namespace

BlockLanes make_block_lanes(const HogCascadeModel& model) {
  BlockLanes lanes;
  lanes.window = {model.window.width / model.grid, model.window.height / model.grid};
  lanes.grid = model.grid;
  for (const HogBlockStage& from : model.stages) {
    BlockLaneStage stage{};
    stage.x = from.block.x, stage.y = from.block.y;
    stage.cell_width = from.block.cell_width, stage.cell_height = from.block.cell_height;
    stage.shift = value_shift(stage.cell_width * stage.cell_height * model.grid * model.grid);
    const auto pair = [&](int left, int bin) {
      const auto low = static_cast<std::uint16_t>(
                     from.weights[static_cast<std::size_t>(left * kVoteBins + bin)]),
                 high = static_cast<std::uint16_t>(
                     from.weights[static_cast<std::size_t>((left + 1) * kVoteBins + bin)]);
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(high) << 16 | low);
    };
    for (int bin = 0; bin < kVoteBins; ++bin)
      stage.upper[bin] = pair(0, bin), stage.lower[bin] = pair(2, bin);
    std::copy(from.table.begin(), from.table.end(), stage.table);
    stage.first = from.first;
    stage.bins_per_response = from.bins_per_response;
    stage.min_sum = from.min_sum;
    lanes.stages.push_back(stage);
  }
  return lanes;
}

void judge_level_cpu(const BlockLanes& lanes, GrayView roots, const Level& level, std::int64_t min_sum,
                     BlockScratch& scratch, std::vector<PassedWindow>& passed) {
  scratch.reached.resize(lanes.stages.size());
  if (level.cols <= 0 || level.rows <= 0) return;
  const int grid = lanes.grid, apart = level.step / grid, rows_apart = level.row_step / grid;
  const int cells = (level.cols - 1) * apart + lanes.window.width;
  // Lists of votes are padded to whole vectors of columns.
  const int width = padded(cells * grid), pitch = width / (grid == 2 ? 2 : 4);
  std::uint32_t* const votes = grown(scratch.votes, static_cast<std::size_t>(pitch) * kVoteBins);
  CornerRows corners(cells, lanes.window.height + 1, scratch.histograms);
  const int first = level.corner.y / grid;  // the row of cells where the first row of windows begins
  PixelBand band(roots, level, grid, first, scratch);
  std::int32_t* const alive = grown(scratch.alive, static_cast<std::size_t>(level.cols) + kPad);
  std::int32_t* const sums = grown(scratch.sums, static_cast<std::size_t>(level.cols) + kPad);
  scratch.corners.resize(static_cast<std::size_t>(lanes.window.height) + 1);
  const std::uint8_t* rows[10];
  int next = first;  // the next row of cells
  for (int row = 0; row < level.rows; ++row) {
    const int top = first + row * rows_apart;
    for (; next < top + lanes.window.height; ++next) {
      band.rows(next, rows);
      HWY_DYNAMIC_DISPATCH(VoteBand)(rows, grid, cells * grid, votes, pitch);
      if (grid == 8) {
        for (int bin = 0; bin < kVoteBins; ++bin) {
          std::uint32_t* const list = votes + bin * pitch;
          for (int c = 0; c < cells; ++c) list[c] = list[2 * c] + list[2 * c + 1];
        }
      }
      HWY_DYNAMIC_DISPATCH(AddCorners)(votes, pitch, cells, corners.row(next), corners.row(next + 1));
    }
    for (int y = 0; y <= lanes.window.height; ++y)
      scratch.corners[static_cast<std::size_t>(y)] = corners.row(top + y);
    const int left = HWY_DYNAMIC_DISPATCH(JudgeRow)(scratch.corners.data(), level.cols, apart, lanes, alive,
                                                    sums, scratch.reached.data());
    for (int i = 0; i < left; ++i) {
      if (sums[i] < min_sum) continue;
      passed.push_back(
          {level.first_window + static_cast<std::int64_t>(row) * level.cols + alive[i], sums[i]});
    }
  }
}

}  // namespace winnow
#endif  // HWY_ONCE
