// Resizes rows with SIMD, as scale/resize.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/resize_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "scale/resize.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, 16>;
using D8 = hn::Repartition<std::uint8_t, D16>;
using V16 = hn::Vec<D16>;
constexpr int kN = static_cast<int>(hn::MaxLanes(D16()));

// Mixes two taps, the left one in the lower byte and the right one in the upper byte: 256 * left + weight *
// (right - left) modulo 2^16. Nothing is lost, since the result is at most 255 * 256.
HWY_INLINE V16 mix(V16 taps, V16 weight) {
  const V16 left = hn::And(taps, hn::Set(D16(), 255)), right = hn::ShiftRight<8>(taps);
  return hn::Add(hn::ShiftLeft<8>(taps), hn::Mul(hn::Sub(right, left), weight));
}

// Loads 16 bytes for each half of the vector: at first[0] for the lower half, at first[apart] for the upper
// half.
template <class D>
HWY_INLINE hn::Vec<D> load_parts(D d, const std::uint8_t* source, const std::int32_t* first, int apart) {
  const hn::CappedTag<std::uint8_t, 16> part;
  if constexpr (hn::MaxLanes(D()) == 16) {
    (void)apart;
    return hn::LoadU(d, source + first[0]);
  } else {
    return hn::Combine(d, hn::LoadU(part, source + first[apart]), hn::LoadU(part, source + first[0]));
  }
}

// Resizes a row along x. If columns lie near each other in the source, one 16-byte load holds the taps of
// eight columns. If they lie a little further apart, a load holds the taps of four. A byte shuffle puts taps
// in order. `later`: a row that is needed soon, and that this function prefetches. Rows are so short that the
// processor itself does not prefetch the beginning of the next row.
void Across(const std::uint8_t* HWY_RESTRICT source, const std::uint8_t* later, const ResizeColumns& columns,
            int first, int count, std::uint16_t* HWY_RESTRICT out) {
  const D8 d8;
  const D16 d16;
  HWY_ALIGN static constexpr std::uint16_t kUpperColumns[16] = {0, 0, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF,
                                                                0, 0, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
  const auto upper = hn::MaskFromVec(hn::Load(d16, kUpperColumns));
  for (int x = first; x < first + count; x += kN, out += kN) {
    const V16 weight = hn::LoadU(d16, columns.weight.data() + x);
    hwy::Prefetch(later + columns.offset[static_cast<std::size_t>(x)]);
    V16 taps;
    if (columns.spread == ResizeColumns::Spread::kNear) {
      const auto bytes = load_parts(d8, source, columns.load.data() + x / 8, 1);
      taps = hn::BitCast(d16, hn::TableLookupBytes(bytes, hn::LoadU(d8, columns.taps.data() + 2 * x)));
    } else if (columns.spread == ResizeColumns::Spread::kMiddle) {
      const auto low = load_parts(d8, source, columns.load.data() + x / 4, 2);
      const auto high = load_parts(d8, source, columns.load.data() + x / 4 + 1, 2);
      const auto bytes = hn::LoadU(d8, columns.taps.data() + 2 * x);
      taps = hn::IfThenElse(upper, hn::BitCast(d16, hn::TableLookupBytes(high, bytes)),
                            hn::BitCast(d16, hn::TableLookupBytes(low, bytes)));
    } else {
      HWY_ALIGN std::uint8_t bytes[32];
      for (int i = 0; i < kN; ++i) {
        const std::uint8_t* at = source + columns.offset[static_cast<std::size_t>(x + i)];
        bytes[2 * i] = at[0];
        bytes[2 * i + 1] = at[columns.weight[static_cast<std::size_t>(x + i)] > 0];
      }
      taps = hn::BitCast(d16, hn::Load(d8, bytes));
    }
    hn::StoreU(mix(taps, weight), d16, out);
  }
}

// Mixes two rows of 8.8 fixed point to bytes: ((256 - weight) top + weight bottom + 2^15) >> 16. Products of
// pairs are signed, so 2^15 is subtracted from both values. The weights add up to 256, so 256 * 2^15 is added
// to the sum.
void Down(const std::uint16_t* HWY_RESTRICT top, const std::uint16_t* HWY_RESTRICT bottom, int weight,
          int count, std::uint8_t* HWY_RESTRICT out) {
  const D16 d16;
  const hn::RebindToSigned<D16> ds16;
  const hn::RepartitionToWide<decltype(ds16)> d32;
  const hn::Rebind<std::uint8_t, D16> d8;
  const auto sign = hn::Set(d16, 0x8000);
  const auto weights = hn::BitCast(ds16, hn::Set(d32, (256 - weight) | weight << 16));
  const auto up = hn::Set(d32, (256 << 15) + (1 << 15));
  for (int x = 0; x < count; x += kN) {
    const auto t = hn::Xor(hn::LoadU(d16, top + x), sign), b = hn::Xor(hn::LoadU(d16, bottom + x), sign);
    const auto sum = [&](auto pairs) HWY_ATTR {
      auto rest = hn::Zero(d32);  // stays 0 on x86
      const auto products = hn::ReorderWidenMulAccumulate(d32, hn::BitCast(ds16, pairs), weights, up, rest);
      return hn::ShiftRight<16>(hn::Add(products, rest));
    };
    // Interleaving and demoting both work on 128 bits at a time, so the order is kept.
    const auto bytes =
        hn::ReorderDemote2To(ds16, sum(hn::InterleaveLower(d16, t, b)), sum(hn::InterleaveUpper(d16, t, b)));
    hn::StoreU(hn::DemoteTo(d8, bytes), d8, out + x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Across);
HWY_EXPORT(Down);

namespace {

// Finds the 16-byte load for columns [x, x + n) and the position of each tap in that load. False if the taps
// do not all lie within 16 bytes of the row.
bool place_load(ResizeColumns& columns, int x, int n, int number) {
  const int last_byte = columns.source_width - 16;
  const int start = std::min(columns.offset[static_cast<std::size_t>(x)], last_byte);
  if (start < 0) return false;
  columns.load[static_cast<std::size_t>(number)] = start;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(x + i);
    const int left = columns.offset[at] - start;
    const int right = columns.weight[at] > 0 ? left + 1 : left;
    if (left < 0 || right > 15) return false;
    columns.taps[2 * at] = static_cast<std::uint8_t>(left);
    columns.taps[2 * at + 1] = static_cast<std::uint8_t>(right);
  }
  return true;
}

}  // namespace

void make_columns(int source_width, int target_width, ResizeColumns& columns) {
  columns.source_width = source_width;
  columns.target_width = target_width;
  const auto padded = static_cast<std::size_t>(target_width + 15) / 16 * 16;
  columns.offset.assign(padded, 0);
  columns.weight.assign(padded, 0);
  for (std::size_t x = 0; x < padded; ++x) {
    // Columns beyond the level repeat the last column. Nothing reads their results.
    const ResizeTap tap =
        resize_tap(std::min(static_cast<int>(x), target_width - 1), source_width, target_width);
    columns.offset[x] = tap.offset;
    columns.weight[x] = static_cast<std::uint16_t>(tap.weight);
  }
  columns.taps.assign(2 * padded, 0);
  columns.load.assign(padded / 4, 0);
  const auto share_load = [&](int n) {
    for (std::size_t x = 0; x < padded; x += static_cast<std::size_t>(n)) {
      if (!place_load(columns, static_cast<int>(x), n, static_cast<int>(x) / n)) return false;
    }
    return true;
  };
  columns.spread = share_load(8)   ? ResizeColumns::Spread::kNear
                   : share_load(4) ? ResizeColumns::Spread::kMiddle
                                   : ResizeColumns::Spread::kFar;
}

void resize_row_cpu(GrayView source, int target_height, const ResizeColumns& columns, int first, int count,
                    int y, ResizeRows& rows, std::uint8_t* row) {
  if (columns.same) {
    std::memcpy(row, source.row(y) + first, static_cast<std::size_t>(std::min(count, source.width - first)));
    return;
  }
  const int padded = (count + 15) / 16 * 16;
  const ResizeTap tap = resize_tap(y, source.height, target_height);
  const int ahead = (source.height + target_height - 1) / target_height;  // source rows per level row
  const auto across = [&](int source_y) {
    // Rows alternate between the two slots, so that the newest two stay held while y rises.
    const int slot = source_y & 1;
    if (rows.across[slot].size() < static_cast<std::size_t>(padded))
      rows.across[slot].resize(static_cast<std::size_t>(padded));
    if (rows.held[slot] != source_y) {
      const int later = std::min(source_y + ahead, source.height - 1);
      HWY_DYNAMIC_DISPATCH(Across)
      (source.row(source_y), source.row(later), columns, first, padded, rows.across[slot].data());
      rows.held[slot] = source_y;
    }
    return rows.across[slot].data();
  };
  const std::uint16_t* top = across(tap.offset);
  const std::uint16_t* bottom = tap.weight > 0 ? across(tap.offset + 1) : top;
  HWY_DYNAMIC_DISPATCH(Down)(top, bottom, tap.weight, padded, row);
}

}  // namespace winnow
#endif  // HWY_ONCE
