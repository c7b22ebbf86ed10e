#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/strip_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "scale/strip.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, 8>;
using D32 = hn::CappedTag<std::uint32_t, 4>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

HWY_INLINE V32 prefix4(V32 v) {
  const D32 d;
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  return hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
}

// Eight pixels a step: their prefix sums in 16 bits (at most 8 * 255), then in 32 with what came before and
// above. Column c of the integral is pixel c - 1, so odd columns come first when they are dealt apart.
void AddRow(const std::uint8_t* HWY_RESTRICT pixels, int count, const StripRow& row) {
  const D16 d16;
  const D32 d32;
  const hn::Half<D16> half16;
  const hn::Rebind<std::uint8_t, D16> d8;
  V32 before = hn::Zero(d32), before_square = hn::Zero(d32);
  for (int x = 0; x < count; x += 8) {
    const V16 p = hn::PromoteTo(d16, hn::LoadU(d8, pixels + x));
    V16 s = hn::Add(p, hn::ShiftLeftLanes<1>(d16, p));
    s = hn::Add(s, hn::ShiftLeftLanes<2>(d16, s));
    s = hn::Add(s, hn::ShiftLeftLanes<4>(d16, s));
    const V32 left = hn::Add(hn::PromoteTo(d32, hn::LowerHalf(half16, s)), before);
    const V32 right = hn::Add(hn::PromoteTo(d32, hn::UpperHalf(half16, s)), before);
    before = hn::Broadcast<3>(right);
    const V32 sum_left = hn::Add(left, hn::LoadU(d32, row.above_sum + x + 1));
    const V32 sum_right = hn::Add(right, hn::LoadU(d32, row.above_sum + x + 5));
    hn::StoreU(sum_left, d32, row.sum + x + 1);
    hn::StoreU(sum_right, d32, row.sum + x + 5);
    const auto l16 = hn::BitCast(d16, sum_left), r16 = hn::BitCast(d16, sum_right);
    const V16 low = hn::ConcatEven(d16, r16, l16);
    hn::StoreU(low, d16, row.low + x + 1);
    if (row.even != nullptr) {
      // `low` holds columns x + 1 .. x + 8: the odd ones at even places.
      const V16 apart = hn::Combine(d16, hn::LowerHalf(half16, hn::ConcatOdd(d16, low, low)),
                                    hn::LowerHalf(half16, hn::ConcatEven(d16, low, low)));
      hn::StoreU(hn::LowerHalf(half16, apart), half16, row.odd + x / 2);
      hn::StoreU(hn::UpperHalf(half16, apart), half16, row.even + x / 2 + 1);
    }
    if (row.square != nullptr) {
      const V16 q = hn::Mul(p, p);
      const V32 q_left = hn::Add(prefix4(hn::PromoteTo(d32, hn::LowerHalf(half16, q))), before_square);
      const V32 q_right =
          hn::Add(prefix4(hn::PromoteTo(d32, hn::UpperHalf(half16, q))), hn::Broadcast<3>(q_left));
      before_square = hn::Broadcast<3>(q_right);
      hn::StoreU(hn::Add(q_left, hn::LoadU(d32, row.above_square + x + 1)), d32, row.square + x + 1);
      hn::StoreU(hn::Add(q_right, hn::LoadU(d32, row.above_square + x + 5)), d32, row.square + x + 5);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(AddRow);

Strip::Strip(const StripShape& shape) : shape_(shape) {
  const std::size_t values =
      static_cast<std::size_t>(shape.stride) * static_cast<std::size_t>(shape.rows) + 64;
  low_.resize(values);
  split_.resize(values);
  sum_.resize(values);
  if (shape.square) square_.resize(values);
  if (shape.tilted) {
    tilted_low_.resize(values);
    tilted_split_.resize(values);
    tilted_.resize(values);
    for (auto* v : {&up_left_, &up_right_, &next_left_, &next_right_})
      v->resize(static_cast<std::size_t>(shape.stride) + 2);
  }
}

void Strip::start(bool split) {
  split_rows_ = split;
  rows_ = 1;
  const auto clear = [this](auto& plane) {
    if (!plane.empty()) std::fill_n(plane.begin(), shape_.stride, 0);
  };
  clear(low_), clear(split_), clear(sum_), clear(square_), clear(tilted_low_), clear(tilted_split_),
      clear(tilted_);
  for (auto* v : {&up_left_, &up_right_}) std::fill(v->begin(), v->end(), 0u);
}

void Strip::add_row(const std::uint8_t* pixels, int count) {
  const std::size_t stride = static_cast<std::size_t>(shape_.stride),
                    at = stride * static_cast<std::size_t>(rows_);
  std::uint16_t* split = split_.data() + at;
  const StripRow row{sum_.data() + at - stride,
                     shape_.square ? square_.data() + at - stride : nullptr,
                     sum_.data() + at,
                     shape_.square ? square_.data() + at : nullptr,
                     low_.data() + at,
                     split_rows_ ? split : nullptr,
                     split_rows_ ? split + stride / 2 : nullptr};
  row.sum[0] = 0;
  row.low[0] = 0;
  if (row.square != nullptr) row.square[0] = 0;
  if (row.even != nullptr) row.even[0] = 0;
  HWY_DYNAMIC_DISPATCH(AddRow)(pixels, count, row);
  if (shape_.tilted) add_tilted_row(pixels, count);
  ++rows_;
}

// See integral_ref.cpp: a triangle is the one above and the two diagonals that end in its lowest pixel. Index
// i + 1 of a diagonal array is pixel i; the loops are plain since the compiler makes lanes of them.
void Strip::add_tilted_row(const std::uint8_t* pixels, int count) {
  std::uint32_t *left = next_left_.data(), *right = next_right_.data();
  const std::uint32_t *last_left = up_left_.data(), *last_right = up_right_.data();
  left[0] = 0;
  right[0] = last_right[1];
  for (int x = 0; x < count; ++x) {
    left[x + 1] = pixels[x] + last_left[x];
    right[x + 1] = pixels[x] + last_right[x + 2];
  }
  left[count + 1] = last_left[count];
  right[count + 1] = 0;
  const std::size_t stride = static_cast<std::size_t>(shape_.stride),
                    at = stride * static_cast<std::size_t>(rows_);
  std::uint32_t* out = tilted_.data() + at;
  const std::uint32_t* above = out - stride;
  out[0] = above[0] + left[0] + right[0];
  for (int x = 1; x <= count; ++x) out[x] = above[x] + left[x] + right[x] - pixels[x - 1];
  std::uint16_t* low = tilted_low_.data() + at;
  for (int x = 0; x <= count; ++x) low[x] = static_cast<std::uint16_t>(out[x]);
  if (split_rows_) {
    std::uint16_t *even = tilted_split_.data() + at, *odd = even + stride / 2;
    for (int x = 0; x <= count; x += 2) {
      even[x / 2] = low[x];
      odd[x / 2] = low[x + 1];
    }
  }
  next_left_.swap(up_left_);
  next_right_.swap(up_right_);
}

void Strip::drop_rows(int first, int used) {
  const int kept = rows_ - first;
  const std::size_t stride = static_cast<std::size_t>(shape_.stride);
  const auto move = [&](auto& plane, std::size_t offset) {
    if (plane.empty()) return;
    for (int r = 0; r < kept; ++r) {
      const auto* from = plane.data() + stride * static_cast<std::size_t>(first + r) + offset;
      std::memcpy(plane.data() + stride * static_cast<std::size_t>(r) + offset, from,
                  static_cast<std::size_t>(offset == 0 ? used : used / 2 + 1) * sizeof(*from));
    }
  };
  move(low_, 0), move(sum_, 0), move(square_, 0), move(tilted_low_, 0), move(tilted_, 0);
  if (split_rows_) {
    move(split_, 0), move(split_, stride / 2);
    move(tilted_split_, 0), move(tilted_split_, stride / 2);
  }
  rows_ = kept;
}

}  // namespace winnow
#endif  // HWY_ONCE
