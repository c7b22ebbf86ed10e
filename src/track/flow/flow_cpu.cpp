// Carries points with SIMD and threads, as track/flow/flow.h declares; its opening comment holds here.
//
// Vectors run along the rows of a window. Products are added in lanes of 32 bits. Down a window, a lane adds
// at most 62 products of 8,160 x 4,080, whose sum is less than 2^31.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "track/flow/flow_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/share_work.h"
#include "track/flow/flow.h"
#include "track/flow/flow_lanes.h"
#include "track/flow/flow_walk.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::int16_t, 32>;
using D32 = hn::RepartitionToWide<D16>;
using D64 = hn::RepartitionToWide<D32>;
using D8 = hn::Rebind<std::uint8_t, D16>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
using V64 = hn::Vec<D64>;
constexpr int kN = static_cast<int>(hn::MaxLanes(D16()));

HWY_INLINE V16 Pixels(const std::uint8_t* from) { return hn::PromoteTo(D16(), hn::LoadU(D8(), from)); }

// Puts the two weights into each pair of lanes.
HWY_INLINE V16 PairOf(std::int32_t left, std::int32_t right) {
  const std::uint32_t both = static_cast<std::uint32_t>(left) & 0xFFFF;
  return hn::BitCast(
      D16(), hn::Set(D32(), static_cast<std::int32_t>(both | static_cast<std::uint32_t>(right) << 16)));
}

// Pairs of neighbouring values of a row. `lower` holds the pairs of the lower half of each 128 bits, `upper`
// those of the upper half.
struct Pairs {
  V16 lower, upper;
};
HWY_INLINE Pairs Paired(V16 left, V16 right) {
  const D16 d;
  return {hn::InterleaveLower(d, left, right), hn::InterleaveUpper(d, left, right)};
}

// Multiplies lanes of 16 bits, and adds both products of each pair to a lane of 32 bits.
HWY_INLINE V32 AddProducts(V32 sums, V16 a, V16 b) {
  const D32 d;
  V32 rest = hn::Zero(d);  // stays 0 on x86
  sums = hn::ReorderWidenMulAccumulate(d, a, b, sums, rest);
  return hn::Add(sums, rest);
}

// `flow_mean` of two rows of pairs. Interleaving and demoting both work on 128 bits at a time, so the order
// is kept.
template <int kBits>
HWY_INLINE V16 Mean(const Pairs& top, const Pairs& bottom, V16 top_weights, V16 bottom_weights) {
  const V32 rounding = hn::Set(D32(), 1 << (kBits - 1));
  const auto sum = [&](V16 above, V16 below) HWY_ATTR {
    return hn::ShiftRight<kBits>(
        AddProducts(AddProducts(rounding, above, top_weights), below, bottom_weights));
  };
  return hn::ReorderDemote2To(D16(), sum(top.lower, bottom.lower), sum(top.upper, bottom.upper));
}

// Adds pairs of 32-bit lanes, and gives the sums in 64-bit lanes.
HWY_INLINE V64 Widened(V32 sums) {
  const D64 d;
  const hn::Half<D32> half;
  return hn::Add(hn::PromoteTo(d, hn::LowerHalf(half, sums)), hn::PromoteTo(d, hn::UpperHalf(half, sums)));
}
HWY_INLINE std::int64_t Total(V64 sums) { return hn::GetLane(hn::SumOfLanes(D64(), sums)); }
HWY_INLINE std::int64_t Total(V32 sums) { return Total(Widened(sums)); }

// Scharr's sums down each column: the smoothed pixels, and the difference of the rows above and below.
void SumColumns(const FlowBlock& block, int columns, int rows, FlowLanes& lanes) {
  const D16 d;
  const V16 three = hn::Set(d, 3), ten = hn::Set(d, 10);
  for (int x = 0; x < columns; x += kN) {
    const std::uint8_t* from = block.pixels + x;
    V16 above = Pixels(from), middle = Pixels(from += block.stride);
    for (int y = 0; y < rows; ++y) {
      const V16 below = Pixels(from += block.stride);
      hn::StoreU(hn::Add(hn::Mul(three, hn::Add(above, below)), hn::Mul(ten, middle)), d,
                 lanes.smooth[y] + x);
      hn::StoreU(hn::Sub(below, above), d, lanes.difference[y] + x);
      above = middle;
      middle = below;
    }
  }
}

// Computes slopes at whole pixels. `inside`: the columns and rows in the picture; slopes outside are 0.
void MakeSlopes(const FlowInside& inside, int columns, int rows, FlowLanes& lanes) {
  const D16 d;
  const V16 three = hn::Set(d, 3), ten = hn::Set(d, 10);
  const auto before = [&](int column) HWY_ATTR {
    return hn::FirstN(d, static_cast<std::size_t>(std::clamp(column, 0, kN)));
  };
  for (int x = 0; x < columns; x += kN) {
    const auto valid = hn::AndNot(before(inside.left - x), before(inside.right - x));
    for (int y = 0; y < rows; ++y) {
      std::int16_t *const to_x = lanes.whole_x[y] + x, *const to_y = lanes.whole_y[y] + x;
      if (y < inside.top || y >= inside.bottom) {
        hn::StoreU(hn::Zero(d), d, to_x);
        hn::StoreU(hn::Zero(d), d, to_y);
        continue;
      }
      const std::int16_t *const smooth = lanes.smooth[y] + x, *const difference = lanes.difference[y] + x;
      const V16 slope_x = hn::Sub(hn::LoadU(d, smooth + 2), hn::LoadU(d, smooth));
      const V16 slope_y =
          hn::Add(hn::Mul(three, hn::Add(hn::LoadU(d, difference), hn::LoadU(d, difference + 2))),
                  hn::Mul(ten, hn::LoadU(d, difference + 1)));
      hn::StoreU(hn::IfThenElseZero(valid, slope_x), d, to_x);
      hn::StoreU(hn::IfThenElseZero(valid, slope_y), d, to_y);
    }
  }
}

// `block` begins one pixel left of the window and one above. Lanes behind the window's width are 0.
void Open(const FlowBlock& block, const FlowInside& inside, const FlowCorner& at, int width, int height,
          FlowLanes& lanes, FlowSums& sums) {
  const D16 d;
  SumColumns(block, width + 3, height + 1, lanes);
  MakeSlopes(inside, width + 1, height + 1, lanes);
  const V16 top = PairOf(at.weight[0], at.weight[1]), bottom = PairOf(at.weight[2], at.weight[3]);
  sums = {};
  for (int x = 0; x < width; x += kN) {
    const auto valid = hn::FirstN(d, static_cast<std::size_t>(std::min(width - x, kN)));
    const std::uint8_t* from = block.pixels + block.stride + 1 + x;
    const auto whole = [&](const std::int16_t* slopes) HWY_ATTR {
      return Paired(hn::LoadU(d, slopes + x), hn::LoadU(d, slopes + x + 1));
    };
    Pairs pixels = Paired(Pixels(from), Pixels(from + 1));
    Pairs slopes_x = whole(lanes.whole_x[0]), slopes_y = whole(lanes.whole_y[0]);
    V32 xx = hn::Zero(D32()), xy = xx, yy = xx;
    for (int y = 0; y < height; ++y) {
      from += block.stride;
      const Pairs next_pixels = Paired(Pixels(from), Pixels(from + 1));
      const Pairs next_x = whole(lanes.whole_x[y + 1]), next_y = whole(lanes.whole_y[y + 1]);
      const V16 patch = hn::IfThenElseZero(valid, Mean<kFlowPatchShift>(pixels, next_pixels, top, bottom)),
                slope_x = hn::IfThenElseZero(valid, Mean<kFlowSlopeShift>(slopes_x, next_x, top, bottom)),
                slope_y = hn::IfThenElseZero(valid, Mean<kFlowSlopeShift>(slopes_y, next_y, top, bottom));
      hn::StoreU(patch, d, lanes.patch[y] + x);
      hn::StoreU(slope_x, d, lanes.slope_x[y] + x);
      hn::StoreU(slope_y, d, lanes.slope_y[y] + x);
      xx = AddProducts(xx, slope_x, slope_x);
      xy = AddProducts(xy, slope_x, slope_y);
      yy = AddProducts(yy, slope_y, slope_y);
      pixels = next_pixels;
      slopes_x = next_x;
      slopes_y = next_y;
    }
    sums.xx += Total(xx);
    sums.xy += Total(xy);
    sums.yy += Total(yy);
  }
}

// Calls `take(row, patch)` with each row of the window's patch, from the column `x` on.
template <class Take>
HWY_INLINE void ForRows(const FlowBlock& block, const FlowCorner& at, int x, int height, Take take) {
  const V16 top = PairOf(at.weight[0], at.weight[1]), bottom = PairOf(at.weight[2], at.weight[3]);
  const std::uint8_t* from = block.pixels + x;
  Pairs pixels = Paired(Pixels(from), Pixels(from + 1));
  for (int y = 0; y < height; ++y) {
    from += block.stride;
    const Pairs next = Paired(Pixels(from), Pixels(from + 1));
    take(y, Mean<kFlowPatchShift>(pixels, next, top, bottom));
    pixels = next;
  }
}

void Pull(const FlowBlock& block, const FlowCorner& at, int width, int height, const FlowLanes& lanes,
          FlowPull& sums) {
  const D16 d;
  sums = {};
  for (int x = 0; x < width; x += kN) {
    V32 pull_x = hn::Zero(D32()), pull_y = pull_x;
    ForRows(block, at, x, height, [&](int y, V16 patch) HWY_ATTR {
      const V16 difference = hn::Sub(patch, hn::LoadU(d, lanes.patch[y] + x));
      pull_x = AddProducts(pull_x, difference, hn::LoadU(d, lanes.slope_x[y] + x));
      pull_y = AddProducts(pull_y, difference, hn::LoadU(d, lanes.slope_y[y] + x));
    });
    sums.x += Total(pull_x);
    sums.y += Total(pull_y);
  }
}

// Keeps the patch of a window. Lanes behind the window's width are 0.
void KeepPatch(const FlowBlock& block, const FlowCorner& at, int width, int height, FlowLanes& lanes) {
  const D16 d;
  for (int x = 0; x < width; x += kN) {
    const auto valid = hn::FirstN(d, static_cast<std::size_t>(std::min(width - x, kN)));
    ForRows(block, at, x, height, [&](int y, V16 patch) HWY_ATTR {
      hn::StoreU(hn::IfThenElseZero(valid, patch), d, lanes.patch[y] + x);
    });
  }
}

// After 16 rows, sums of products of patches may exceed 32 bits. So each row is added to sums of 64 bits.
void Compare(const FlowBlock& block, const FlowCorner& at, int width, int height, bool ncc,
             const FlowLanes& lanes, FlowLikeness& sums) {
  const D16 d;
  const V16 one = hn::Set(d, 1);
  sums = {};
  for (int x = 0; x < width; x += kN) {
    const auto valid = hn::FirstN(d, static_cast<std::size_t>(std::min(width - x, kN)));
    V32 difference = hn::Zero(D32()), first_sum = difference, other_sum = difference;
    V64 first_square = hn::Zero(D64()), other_square = first_square, product = first_square;
    ForRows(block, at, x, height, [&](int y, V16 patch) HWY_ATTR {
      const V16 first = hn::LoadU(d, lanes.patch[y] + x), other = hn::IfThenElseZero(valid, patch);
      difference = AddProducts(difference, hn::Abs(hn::Sub(first, other)), one);
      if (!ncc) return;
      first_sum = AddProducts(first_sum, first, one);
      other_sum = AddProducts(other_sum, other, one);
      const auto add = [&](V64& sum, V16 a, V16 b)
                           HWY_ATTR { sum = hn::Add(sum, Widened(AddProducts(hn::Zero(D32()), a, b))); };
      add(first_square, first, first);
      add(other_square, other, other);
      add(product, first, other);
    });
    sums.difference += Total(difference);
    sums.first += Total(first_sum);
    sums.other += Total(other_sum);
    sums.first_square += Total(first_square);
    sums.other_square += Total(other_square);
    sums.product += Total(product);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(Open);
HWY_EXPORT(Pull);
HWY_EXPORT(KeepPatch);
HWY_EXPORT(Compare);

// Reads windows of two pyramids with vectors. A window is copied first if it reaches beyond the picture, or
// if a vector would read beyond the picture's last pixel.
class LaneWindows {
 public:
  LaneWindows(const GaussianPyramid& before, const GaussianPyramid& now, const FlowRules& rules, int levels)
      : before_(&before), now_(&now), rules_(rules), levels_(levels) {}

  int levels() const { return levels_; }
  int width(int level) const { return before_->level(level).width; }
  int height(int level) const { return before_->level(level).height; }

  FlowSums open(int level, const FlowCorner& at) {
    const GrayView picture = before_->level(level);
    const FlowBlock block =
        flow_block(picture, at.x - 1, at.y - 1, rules_.width + 3, rules_.height + 3, lanes_.first);
    const FlowInside inside{-at.x, picture.width - at.x, -at.y, picture.height - at.y};
    now_x_ = kNoPlace;
    FlowSums sums;
    HWY_DYNAMIC_DISPATCH(Open)(block, inside, at, rules_.width, rules_.height, lanes_, sums);
    return sums;
  }

  FlowPull pull(int level, const FlowCorner& at) {
    FlowPull sums;
    HWY_DYNAMIC_DISPATCH(Pull)(block_of(level, at), at, rules_.width, rules_.height, lanes_, sums);
    return sums;
  }

  FlowLikeness likeness(const FlowCorner& before, const FlowCorner& now) {
    const bool differs = flow_ncc_differs(rules_);
    FlowLikeness sums;
    HWY_DYNAMIC_DISPATCH(Compare)
    (block_of(0, now), now, rules_.width, rules_.height, rules_.ncc && !differs, lanes_, sums);
    return differs ? correlated(before, now, sums.difference) : sums;
  }

  void turn() { std::swap(before_, now_); }

 private:
  FlowLikeness correlated(const FlowCorner& before, const FlowCorner& now, std::int64_t difference) {
    const Size window = flow_ncc_window(rules_);
    const FlowCorner first = flow_ncc_corner(before, rules_), other = flow_ncc_corner(now, rules_);
    const auto block = [&](const GaussianPyramid& from, const FlowCorner& at, std::uint8_t* copy) {
      return flow_block(from.level(0), at.x, at.y, window.width + 1, window.height + 1, copy);
    };
    HWY_DYNAMIC_DISPATCH(KeepPatch)
    (block(*before_, first, lanes_.first), first, window.width, window.height, lanes_);
    FlowLikeness sums;
    HWY_DYNAMIC_DISPATCH(Compare)
    (block(*now_, other, lanes_.second), other, window.width, window.height, true, lanes_, sums);
    sums.difference = difference;
    return sums;
  }

  static constexpr int kNoPlace = -kMostFlowWindow - 1;  // no window begins there

  // Most steps stay at the same whole pixel, and then need no second copy.
  const FlowBlock& block_of(int level, const FlowCorner& at) {
    if (at.x != now_x_ || at.y != now_y_)
      now_block_ =
          flow_block(now_->level(level), at.x, at.y, rules_.width + 1, rules_.height + 1, lanes_.second);
    now_x_ = at.x;
    now_y_ = at.y;
    return now_block_;
  }

  const GaussianPyramid *before_, *now_;
  FlowRules rules_;
  int levels_, now_x_ = kNoPlace, now_y_ = kNoPlace;
  FlowBlock now_block_;
  FlowLanes lanes_;
};

}  // namespace

void flow_cpu(const GaussianPyramid& before, const GaussianPyramid& now, std::span<const FlowPlace> points,
              const FlowRules& rules, int threads, FlowResult* results) {
  const int levels = flow_levels(before.level(0).width, before.level(0).height, rules);
  constexpr std::size_t kAtOnce = 64;  // points; they take 0.2 ms, which is worth a thread's start
  share_work(threads, points.size(), kAtOnce, [&](std::size_t, std::size_t i) {
    LaneWindows windows(before, now, rules, levels);
    results[i] = flow_carry(windows, points[i], rules);
  });
}

}  // namespace winnow
#endif  // HWY_ONCE
