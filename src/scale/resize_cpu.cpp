#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/resize_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "scale/resize.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::CappedTag<std::uint8_t, 16>;
using D16 = hn::CappedTag<std::uint16_t, 8>;

// 256 * left + weight * (right - left) modulo 2^16, which loses nothing: the result is at most 255 * 256.
HWY_INLINE hn::Vec<D16> mix(hn::Vec<D16> left, hn::Vec<D16> right, hn::Vec<D16> weight) {
  return hn::Add(hn::ShiftLeft<8>(left), hn::Mul(hn::Sub(right, left), weight));
}

// Eight columns of the level a step. Where they lie near each other in the source one 16-byte load holds all
// their taps (or two loads, four columns each), and a byte shuffle deals them out.
void Across(const std::uint8_t* HWY_RESTRICT source, const ResizeColumns& columns, int first, int count,
            std::uint16_t* HWY_RESTRICT out) {
  const D8 d8;
  const D16 d16;
  const hn::Half<D8> half8;
  const hn::Half<D16> half16;
  for (int x = first; x < first + count; x += 8, out += 8) {
    const auto weight = hn::LoadU(d16, columns.weight.data() + x);
    hn::Vec<D16> left, right;
    if (columns.reach == ResizeColumns::Reach::kNear) {
      const auto bytes = hn::LoadU(d8, source + columns.load[static_cast<std::size_t>(x) / 8]);
      const auto l = hn::TableLookupBytes(bytes, hn::LoadU(d8, columns.left.data() + 2 * x));
      const auto r = hn::TableLookupBytes(bytes, hn::LoadU(d8, columns.right.data() + 2 * x));
      left = hn::And(hn::BitCast(d16, l), hn::Set(d16, 255));
      right = hn::And(hn::BitCast(d16, r), hn::Set(d16, 255));
    } else if (columns.reach == ResizeColumns::Reach::kMiddle) {
      const auto low = hn::LoadU(d8, source + columns.load[static_cast<std::size_t>(x) / 4]);
      const auto high = hn::LoadU(d8, source + columns.load[static_cast<std::size_t>(x) / 4 + 1]);
      const auto li = hn::LoadU(d8, columns.left.data() + 2 * x),
                 ri = hn::LoadU(d8, columns.right.data() + 2 * x);
      const auto pick = [&](hn::Vec<D8> index) HWY_ATTR {
        const auto a = hn::BitCast(d16, hn::TableLookupBytes(low, index));
        const auto b = hn::BitCast(d16, hn::TableLookupBytes(high, index));
        return hn::And(hn::Combine(d16, hn::UpperHalf(half16, b), hn::LowerHalf(half16, a)),
                       hn::Set(d16, 255));
      };
      left = pick(li);
      right = pick(ri);
    } else {
      HWY_ALIGN std::uint8_t l[8], r[8];
      for (int i = 0; i < 8; ++i) {
        const std::uint8_t* at = source + columns.offset[static_cast<std::size_t>(x + i)];
        l[i] = at[0];
        r[i] = at[columns.weight[static_cast<std::size_t>(x + i)] > 0];
      }
      left = hn::PromoteTo(d16, hn::Load(half8, l));
      right = hn::PromoteTo(d16, hn::Load(half8, r));
    }
    hn::StoreU(mix(left, right, weight), d16, out);
  }
}

// Two rows of 8.8 values to bytes: (256 top + weight (bottom - top) + 2^15) >> 16.
void Down(const std::uint16_t* HWY_RESTRICT top, const std::uint16_t* HWY_RESTRICT bottom, int weight,
          int count, std::uint8_t* HWY_RESTRICT out) {
  const hn::CappedTag<std::int32_t, 8> d32;
  const hn::Rebind<std::uint16_t, decltype(d32)> d16;
  const hn::Rebind<std::uint8_t, decltype(d32)> d8;
  const auto w = hn::Set(d32, weight), half = hn::Set(d32, 1 << 15);
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d32))) {
    const auto t = hn::PromoteTo(d32, hn::LoadU(d16, top + x));
    const auto b = hn::PromoteTo(d32, hn::LoadU(d16, bottom + x));
    const auto sum = hn::Add(hn::Add(hn::ShiftLeft<8>(t), half), hn::Mul(hn::Sub(b, t), w));
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<16>(sum)), d8, out + x);
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

// The first byte of the 16-byte load for columns [x, x + n), and where in it each column's taps are; false if
// they do not all lie in 16 bytes inside the row.
bool place_load(ResizeColumns& columns, int x, int n, int group) {
  const int last_byte = columns.source_width - 16;
  const int start = std::min(columns.offset[static_cast<std::size_t>(x)], last_byte);
  if (start < 0) return false;
  columns.load[static_cast<std::size_t>(group)] = start;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(x + i);
    const int left = columns.offset[at] - start;
    const int right = columns.weight[at] > 0 ? left + 1 : left;
    if (left < 0 || right > 15) return false;
    columns.left[2 * at] = static_cast<std::uint8_t>(left);
    columns.right[2 * at] = static_cast<std::uint8_t>(right);
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
    // Columns beyond the level repeat the last one: they are computed and never used.
    const ResizeTap tap =
        resize_tap(std::min(static_cast<int>(x), target_width - 1), source_width, target_width);
    columns.offset[x] = tap.offset;
    columns.weight[x] = static_cast<std::uint16_t>(tap.weight);
  }
  columns.left.assign(2 * padded, 0);
  columns.right.assign(2 * padded, 0);
  columns.load.assign(padded / 4, 0);
  const auto reach = [&](int n) {
    for (std::size_t x = 0; x < padded; x += static_cast<std::size_t>(n)) {
      if (!place_load(columns, static_cast<int>(x), n, static_cast<int>(x) / n)) return false;
    }
    return true;
  };
  columns.reach = reach(8)   ? ResizeColumns::Reach::kNear
                  : reach(4) ? ResizeColumns::Reach::kMiddle
                             : ResizeColumns::Reach::kFar;
}

void resize_row_cpu(GrayView source, int target_height, const ResizeColumns& columns, int first, int count,
                    int y, ResizeRows& rows, std::uint8_t* row) {
  if (columns.same) {
    std::memcpy(row, source.row(y) + first, static_cast<std::size_t>(std::min(count, source.width - first)));
    return;
  }
  const int padded = (count + 15) / 16 * 16;
  const ResizeTap tap = resize_tap(y, source.height, target_height);
  const auto across = [&](int source_y) {
    // Rows alternate between the two slots, so the newest two stay held while y rises.
    const int slot = source_y & 1;
    if (rows.across[slot].size() < static_cast<std::size_t>(padded))
      rows.across[slot].resize(static_cast<std::size_t>(padded));
    if (rows.held[slot] != source_y) {
      HWY_DYNAMIC_DISPATCH(Across)(source.row(source_y), columns, first, padded, rows.across[slot].data());
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
