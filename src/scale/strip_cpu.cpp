#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/strip_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "scale/prefix_cpu-inl.h"
#include "scale/strip.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector of pixels a step: their prefix sums, with what came before in the row and above it. Column c of
// the integral is pixel c - 1, so odd columns come first when they are dealt apart.
void AddRow(const std::uint8_t* HWY_RESTRICT pixels, int count, const StripRow& row) {
  const D32 d32;
  const D16 d16;
  const D8 d8;
  const hn::Half<D16> half16;
  V32 before = hn::Zero(d32), before_square = hn::Zero(d32);
  for (int x = 0; x < count; x += kN) {
    const auto p16 = hn::PromoteTo(d16, hn::LoadU(d8, pixels + x));
    const V32 sums = prefix(hn::PromoteTo(d32, p16));
    const V32 sum = hn::Add(hn::Add(sums, before), hn::LoadU(d32, row.above_sum + x + 1));
    before =
        hn::Add(before, last_everywhere(sums));  // one addition from step to step, the shuffles beside it
    hn::StoreU(sum, d32, row.sum + x + 1);
    const auto low = hn::TruncateTo(d16, sum);
    hn::StoreU(low, d16, row.low + x + 1);
    if (row.even != nullptr) {
      // `low` holds columns x + 1, x + 2, ...: the odd ones at even places.
      hn::StoreU(hn::LowerHalf(half16, hn::ConcatEven(d16, low, low)), half16, row.odd + x / 2);
      hn::StoreU(hn::LowerHalf(half16, hn::ConcatOdd(d16, low, low)), half16, row.even + x / 2 + 1);
    }
    if (row.square != nullptr) {
      const V32 squares = prefix(hn::PromoteTo(d32, hn::Mul(p16, p16)));
      const V32 square = hn::Add(hn::Add(squares, before_square), hn::LoadU(d32, row.above_square + x + 1));
      before_square = hn::Add(before_square, last_everywhere(squares));
      hn::StoreU(square, d32, row.square + x + 1);
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
  // Ranges of one row must not overlap: a row may be read by the second after it was written by the first.
  const auto move = [&](auto& plane, std::size_t offset, int values) {
    if (plane.empty()) return;
    for (int r = 0; r < kept; ++r) {
      const auto* from = plane.data() + stride * static_cast<std::size_t>(first + r) + offset;
      std::memcpy(plane.data() + stride * static_cast<std::size_t>(r) + offset, from,
                  static_cast<std::size_t>(values) * sizeof(*from));
    }
  };
  move(low_, 0, used), move(sum_, 0, used), move(square_, 0, used), move(tilted_low_, 0, used),
      move(tilted_, 0, used);
  if (split_rows_) {
    const int half = used / 2 + 1;
    move(split_, 0, half), move(split_, stride / 2, half);
    move(tilted_split_, 0, half), move(tilted_split_, stride / 2, half);
  }
  rows_ = kept;
}

}  // namespace winnow
#endif  // HWY_ONCE
