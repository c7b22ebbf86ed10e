// Adds up values of HOG blocks with SIMD, as hog/blocks/block_learner.h declares; its opening comment holds
// here. Each lane takes one sample. Each thread takes some blocks, or some samples of one block.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/blocks/block_learner_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/share_work.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/response_rule.h"

#ifndef WINNOW_BLOCK_LEARNER_SCRATCH
#define WINNOW_BLOCK_LEARNER_SCRATCH
namespace winnow {

// The number of samples whose units are widened to 16 bits at once, so that the wide units stay in a core's
// second-level cache. The lists lie kWidePitch apart, because lists 4,096 bytes apart would compete for a few
// lines of the first-level cache.
inline constexpr std::size_t kWidened = 2048, kWidePitch = kWidened + 32;
static_assert(kWidened % BlockSamples::kChunk == 0);

}  // namespace winnow
#endif

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::RepartitionToWide<D16>;
using DF = hn::RebindToFloat<D32>;
using V32 = hn::Vec<D32>;

// Lists of all samples' sums at the nine corners of a block's cells, for one orientation.
struct Corners {
  const std::uint32_t* at[9];
  Corners(const BlockSamples& samples, const HogBlock& block, int bin) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i)
        at[3 * j + i] = samples.sums(block.x + i * block.cell_width, block.y + j * block.cell_height, bin);
    }
  }
};

// The values of one orientation in a block's four cells, for a vector of samples from `place` on.
HWY_INLINE void CellValues(const Corners& corners, std::size_t place, int shift, V32 (&cells)[4]) {
  const D32 d;
  const auto load = [&](int i) {
    return hn::LoadU(d, reinterpret_cast<const std::int32_t*>(corners.at[i] + place));
  };
  const V32 a = load(0), b = load(1), c = load(2), e = load(3), f = load(4), g = load(5), h = load(6),
            i = load(7), j = load(8);
  const V32 left0 = hn::Sub(b, a), right0 = hn::Sub(c, b), left1 = hn::Sub(f, e), right1 = hn::Sub(g, f),
            left2 = hn::Sub(i, h), right2 = hn::Sub(j, i);
  cells[0] = hn::ShiftRightSame(hn::Sub(left1, left0), shift);
  cells[1] = hn::ShiftRightSame(hn::Sub(right1, right0), shift);
  cells[2] = hn::ShiftRightSame(hn::Sub(left2, left1), shift);
  cells[3] = hn::ShiftRightSame(hn::Sub(right2, right1), shift);
}

// Computes the units (normalised values) of a block for all samples. The list of value i begins at i *
// `pitch`.
void Describe(const BlockSamples& samples, const HogBlock& block, std::uint8_t* HWY_RESTRICT units,
              std::size_t pitch) {
  const D32 d;
  const DF df;
  const hn::Rebind<std::uint8_t, D32> d8;
  const auto lanes = hn::Lanes(d);
  const int shift = value_shift(block.cell_width * block.cell_height * samples.grid() * samples.grid());
  HWY_ALIGN std::int32_t values[kHogBlockValues * hn::MaxLanes(D32())];
  std::vector<Corners> corners;
  for (int bin = 0; bin < kVoteBins; ++bin) corners.emplace_back(samples, block, bin);
  for (std::size_t at = 0; at < samples.places(); at += lanes) {
    V32 squares = hn::Zero(d);
    for (int bin = 0; bin < kVoteBins; ++bin) {
      V32 cells[4];
      CellValues(corners[static_cast<std::size_t>(bin)], at, shift, cells);
      for (int c = 0; c < 4; ++c) {
        hn::Store(cells[c], d, values + static_cast<std::size_t>(c * kVoteBins + bin) * lanes);
        squares = hn::Add(squares, hn::Mul(cells[c], cells[c]));
      }
    }
    const auto length = hn::Add(hn::Sqrt(hn::ConvertTo(df, squares)), hn::Set(df, kBlockLengthFloor));
    const auto per_length = hn::Div(hn::Set(df, static_cast<float>(1 << kUnitBits)), length);
    for (std::size_t i = 0; i < kHogBlockValues; ++i) {
      const auto value = hn::ConvertTo(df, hn::Load(d, values + i * lanes));
      // `DemoteTo` limits values to kMostUnit.
      hn::StoreU(hn::DemoteTo(d8, hn::NearestInt(hn::Mul(value, per_length))), d8, units + i * pitch + at);
    }
  }
}

// Writes the units of `count` samples as 16-bit numbers to `wide`, and the weighted units to `weighted`. Both
// hold one list for each value; lists lie kWidePitch items apart.
void Weigh(const std::uint8_t* HWY_RESTRICT units, std::size_t pitch,
           const std::uint16_t* HWY_RESTRICT weights, std::size_t count, std::int16_t* HWY_RESTRICT wide,
           std::int16_t* HWY_RESTRICT weighted) {
  const D16 d;
  const hn::RebindToUnsigned<D16> du;
  const hn::Rebind<std::uint8_t, D16> d8;
  for (std::size_t i = 0; i < kHogBlockValues; ++i) {
    for (std::size_t at = 0; at < count; at += hn::Lanes(d)) {
      const auto unit = hn::PromoteTo(du, hn::LoadU(d8, units + i * pitch + at));
      const auto weight = hn::ShiftLeft<4>(hn::LoadU(du, weights + at));
      hn::StoreU(hn::BitCast(d, unit), d, wide + i * kWidePitch + at);
      hn::StoreU(hn::BitCast(d, hn::MulHigh(hn::ShiftLeft<4>(unit), weight)), d,
                 weighted + i * kWidePitch + at);
    }
  }
}

HWY_INLINE std::int64_t SumAll(V32 sums) {
  const hn::RepartitionToWide<D32> wide;
  // Each wide lane holds two sums from 0 to 2^31 - 1.
  const hn::RebindToUnsigned<decltype(wide)> du;
  const auto both = hn::BitCast(du, sums);
  const auto sum = hn::Add(hn::ShiftRight<32>(both), hn::ShiftRight<32>(hn::ShiftLeft<32>(both)));
  return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(du, sum)));
}

// Adds the products of `count` samples, at most kWidened, to `products` (`BlockMoments::products`).
void AddProducts(const std::int16_t* HWY_RESTRICT units, const std::int16_t* HWY_RESTRICT weighted,
                 std::size_t count, std::int64_t* HWY_RESTRICT products) {
  const D16 d;
  const D32 d32;
  constexpr std::size_t kTile = 4;
  static_assert(kHogBlockValues % kTile == 0);
  // A lane adds up at most kWidened / 4 products. Each product is below 2^20.
  static_assert(std::int64_t{kWidened / 4} << 20 < std::int64_t{1} << 31);
  for (std::size_t row = 0; row < kHogBlockValues; row += kTile) {
    for (std::size_t column = 0; column <= row; column += kTile) {
      V32 s00 = hn::Zero(d32), s01 = s00, s02 = s00, s03 = s00, s10 = s00, s11 = s00, s12 = s00, s13 = s00,
          s20 = s00, s21 = s00, s22 = s00, s23 = s00, s30 = s00, s31 = s00, s32 = s00, s33 = s00;
      const std::int16_t *u = units + column * kWidePitch, *w = weighted + row * kWidePitch;
      for (std::size_t at = 0; at < count; at += hn::Lanes(d)) {
        const auto load = [&](const std::int16_t* list, std::size_t i) {
          return hn::LoadU(d, list + i * kWidePitch + at);
        };
        const auto u0 = load(u, 0), u1 = load(u, 1), u2 = load(u, 2), u3 = load(u, 3);
        const auto add = [&](std::size_t i, V32& a, V32& b, V32& c, V32& e) {
          const auto line = load(w, i);
          V32 none = hn::Zero(d32);
          a = hn::ReorderWidenMulAccumulate(d32, line, u0, a, none);
          b = hn::ReorderWidenMulAccumulate(d32, line, u1, b, none);
          c = hn::ReorderWidenMulAccumulate(d32, line, u2, c, none);
          e = hn::ReorderWidenMulAccumulate(d32, line, u3, e, none);
        };
        add(0, s00, s01, s02, s03);
        add(1, s10, s11, s12, s13);
        add(2, s20, s21, s22, s23);
        add(3, s30, s31, s32, s33);
      }
      const auto store = [&](std::size_t i, std::size_t j, V32 sum) {
        if (column + j <= row + i) products[(row + i) * kHogBlockValues + column + j] += SumAll(sum);
      };
      store(0, 0, s00), store(0, 1, s01), store(0, 2, s02), store(0, 3, s03);
      store(1, 0, s10), store(1, 1, s11), store(1, 2, s12), store(1, 3, s13);
      store(2, 0, s20), store(2, 1, s21), store(2, 2, s22), store(2, 3, s23);
      store(3, 0, s30), store(3, 1, s31), store(3, 2, s32), store(3, 3, s33);
    }
  }
}

// Adds the weighted units of `count` samples to `sums`, which has one sum for each value.
void AddWeighted(const std::int16_t* HWY_RESTRICT weighted, std::size_t count, std::int64_t* sums) {
  const D16 d;
  const D32 d32;
  const auto one = hn::Set(d, 1);
  for (std::size_t i = 0; i < kHogBlockValues; ++i) {
    V32 sum = hn::Zero(d32), none = hn::Zero(d32);
    for (std::size_t at = 0; at < count; at += hn::Lanes(d))
      sum = hn::ReorderWidenMulAccumulate(d32, hn::LoadU(d, weighted + i * kWidePitch + at), one, sum, none);
    sums[i] += SumAll(sum);
  }
}

void Products(const BlockSamples& samples, const HogBlock& block, const std::int16_t* weights,
              std::size_t first, std::size_t count, std::int32_t* HWY_RESTRICT products,
              std::int32_t* HWY_RESTRICT squares) {
  const D32 d;
  const int shift = value_shift(block.cell_width * block.cell_height * samples.grid() * samples.grid());
  std::vector<Corners> corners;
  for (int bin = 0; bin < kVoteBins; ++bin) corners.emplace_back(samples, block, bin);
  for (std::size_t at = first; at < first + count; at += hn::Lanes(d)) {
    V32 product = hn::Zero(d), square = hn::Zero(d);
    for (int bin = 0; bin < kVoteBins; ++bin) {
      V32 cells[4];
      CellValues(corners[static_cast<std::size_t>(bin)], at, shift, cells);
      for (int c = 0; c < 4; ++c) {
        product = hn::Add(product, hn::Mul(cells[c], hn::Set(d, std::int32_t{weights[c * kVoteBins + bin]})));
        square = hn::Add(square, hn::Mul(cells[c], cells[c]));
      }
    }
    hn::StoreU(product, d, products + at);
    hn::StoreU(square, d, squares + at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(Describe);
HWY_EXPORT(Weigh);
HWY_EXPORT(AddProducts);
HWY_EXPORT(AddWeighted);
HWY_EXPORT(Products);

class BlockLearnerCpu final : public BlockLearner {
 public:
  BlockLearnerCpu(const BlockSamples& samples, std::span<const HogBlock> blocks, int threads)
      : samples_(samples),
        threads_(threads),
        // Lists lie an odd number of cache lines apart, so that they do not compete for a few lines of a
        // cache.
        pitch_((samples.places() / BlockSamples::kChunk | 1) * BlockSamples::kChunk),
        units_(blocks.size() * kHogBlockValues * pitch_),
        wide_(static_cast<std::size_t>(threads)) {
    for (auto& memory : wide_) memory.resize(2 * kHogBlockValues * kWidePitch);
    share_work(threads_, blocks.size(), 1, [&](std::size_t, std::size_t b) {
      HWY_DYNAMIC_DISPATCH(Describe)(samples_, blocks[b], units_of(b), pitch_);
    });
  }

  void moments(std::span<const std::uint32_t> which, std::span<const std::uint16_t> weights,
               std::span<BlockMoments> results) override {
    share_work(threads_, which.size(), 4, [&](std::size_t thread, std::size_t b) {
      results[b] = {};
      std::int16_t* const wide = wide_[thread].data();
      std::int16_t* const weighted = wide + kHogBlockValues * kWidePitch;
      const auto add = [&](std::size_t begin, std::size_t end, std::int64_t* sums) {
        for (std::size_t first = begin; first < end; first += kWidened) {
          const std::size_t count = std::min(kWidened, end - first);
          HWY_DYNAMIC_DISPATCH(Weigh)
          (units_of(which[b]) + first, pitch_, weights.data() + first, count, wide, weighted);
          HWY_DYNAMIC_DISPATCH(AddProducts)(wide, weighted, count, results[b].products.data());
          HWY_DYNAMIC_DISPATCH(AddWeighted)(weighted, count, sums);
        }
      };
      add(0, samples_.first_negative(), results[b].up.data());
      add(samples_.first_negative(), samples_.places(), results[b].down.data());
    });
  }

  void products(const HogBlock& block, const std::array<std::int16_t, kHogBlockValues>& weights,
                std::span<std::int32_t> products, std::span<std::int32_t> squares) override {
    share_work(threads_, samples_.chunks(), 16, [&](std::size_t, std::size_t chunk) {
      HWY_DYNAMIC_DISPATCH(Products)
      (samples_, block, weights.data(), chunk * BlockSamples::kChunk, BlockSamples::kChunk, products.data(),
       squares.data());
    });
  }

 private:
  std::uint8_t* units_of(std::size_t block) { return units_.data() + block * kHogBlockValues * pitch_; }

  const BlockSamples& samples_;
  int threads_;
  std::size_t pitch_;
  std::vector<std::uint8_t> units_;
  std::vector<std::vector<std::int16_t>> wide_;  // one per thread
};

}  // namespace

std::unique_ptr<BlockLearner> make_block_learner_cpu(const BlockSamples& samples,
                                                     std::span<const HogBlock> blocks, int threads) {
  return std::make_unique<BlockLearnerCpu>(samples, blocks, threads);
}

}  // namespace winnow
#endif  // HWY_ONCE
