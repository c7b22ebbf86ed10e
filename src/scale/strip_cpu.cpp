// Fills a strip with SIMD, as scale/strip.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/strip_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "scale/prefix_cpu-inl.h"
#include "scale/strip.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds one row to the planes. Sums in column c end with pixel c - 1, so the first new column is 1. If even
// and odd columns are kept apart, column 1 is the first odd column.
void AddRow(const std::uint8_t* HWY_RESTRICT pixels, int count, const StripRow& row) {
  const D16 d16;
  const D32 d32;
  const Half16 half;
  V16 before = hn::Zero(d16);
  V32 before_sum = hn::Zero(d32), before_square = hn::Zero(d32);
  for (int x = 0; x < count; x += kN) {
    const V16 p = hn::PromoteTo(d16, hn::LoadU(D8(), pixels + x));
    const RowSums sums(p);
    const V16 low = hn::Add(sums.narrow, hn::Add(before, hn::LoadU(d16, row.above_low + x)));
    before = hn::Add(before, sums.last);
    hn::StoreU(low, d16, row.low + x);
    if (row.odd != nullptr) {
      hn::StoreU(hn::LowerHalf(half, hn::ConcatEven(d16, low, low)), half, row.odd + x / 2);
      hn::StoreU(hn::LowerHalf(half, hn::ConcatOdd(d16, low, low)), half, row.even + x / 2);
    }
    if (row.sum != nullptr) {
      store(add_to(sums.wide(), before_sum, row.above_sum + x), row.sum + x);
      before_sum = hn::Add(before_sum, sums.wide_last());
    }
    if (row.square != nullptr) {
      const RowSquares squares(p);
      if (row.square_odd == nullptr) {
        store(add_to(squares.wide(), before_square, row.above_square + x), row.square + x);
      } else {  // the sum up to an even pixel belongs to an odd column
        const auto put = [&](V32 upto, const std::uint32_t* above, std::uint32_t* out) HWY_ATTR {
          hn::StoreU(hn::Add(upto, hn::Add(before_square, hn::LoadU(d32, above + x / 2))), d32, out + x / 2);
        };
        put(squares.upto_even, row.above_square_odd, row.square_odd);
        put(squares.upto_odd, row.above_square, row.square);
      }
      before_square = hn::Add(before_square, squares.last);
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
  const auto stride = static_cast<std::size_t>(shape.stride);
  const std::size_t values = stride * static_cast<std::size_t>(shape.rows) + 64;
  const std::size_t with_shelf = values + stride * static_cast<std::size_t>(shape.shelf_rows);
  low_ = StripPlane<std::uint16_t>(with_shelf);
  split_ = StripPlane<std::uint16_t>(values);
  if (shape.wide) sum_ = StripPlane<std::uint32_t>(values);
  if (shape.square) square_ = StripPlane<std::uint32_t>(values);
  if (shape.tilted) {
    tilted_low_ = StripPlane<std::uint16_t>(with_shelf);
    tilted_split_ = StripPlane<std::uint16_t>(values);
    tilted_ = StripPlane<std::uint32_t>(values);
    for (auto* v : {&up_left_, &up_right_, &next_left_, &next_right_}) v->resize(stride + 2);
  }
}

void Strip::start(bool split) {
  split_rows_ = split;
  rows_ = 1;
  const auto clear = [this](auto& plane) {
    if (plane.data() != nullptr) std::fill_n(plane.data(), shape_.stride, 0);
  };
  clear(low_), clear(split_), clear(sum_), clear(square_), clear(tilted_low_), clear(tilted_split_),
      clear(tilted_);
  for (auto* v : {&up_left_, &up_right_}) std::fill(v->begin(), v->end(), 0u);
}

void Strip::add_row(const std::uint8_t* pixels, int count) {
  const std::size_t stride = static_cast<std::size_t>(shape_.stride),
                    at = stride * static_cast<std::size_t>(rows_);
  // Finds the new row of a plane and the row above it, and sets column 0 of the new row to 0.
  const auto rows_of = [&](auto& plane, auto*& above, auto*& own) {
    own = plane.data();
    above = own;
    if (own == nullptr) return;
    own[at] = 0;
    above += at - stride + 1;
    own += at + 1;
  };
  StripRow row{};
  rows_of(low_, row.above_low, row.low);
  rows_of(sum_, row.above_sum, row.sum);
  rows_of(square_, row.above_square, row.square);
  if (split_rows_) {
    row.even = split_.data() + at + 1;
    row.odd = split_.data() + at + stride / 2;
    row.even[-1] = 0;
    if (row.square != nullptr) {
      row.square_odd = square_.data() + at + stride / 2;
      row.above_square_odd = row.square_odd - stride;
    }
  }
  HWY_DYNAMIC_DISPATCH(AddRow)(pixels, count, row);
  if (shape_.tilted) add_tilted_row(pixels, count);
  ++rows_;
}

// Makes a row of tilted sums from sums of diagonals, as integral_ref.cpp does. Index i + 1 of a diagonal
// array is pixel i. The loops are plain, since the compiler vectorises them.
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
  // A split row is moved in two ranges. The ranges must not overlap, or the second move would read values
  // that the first move has written.
  const auto move = [&](auto& plane, std::size_t offset, int values) {
    if (plane.data() == nullptr) return;
    for (int r = 0; r < kept; ++r) {
      const auto* from = plane.data() + stride * static_cast<std::size_t>(first + r) + offset;
      std::memcpy(plane.data() + stride * static_cast<std::size_t>(r) + offset, from,
                  static_cast<std::size_t>(values) * sizeof(*from));
    }
  };
  move(low_, 0, used), move(sum_, 0, used), move(tilted_low_, 0, used), move(tilted_, 0, used);
  if (!split_rows_) {
    move(square_, 0, used);
  } else {
    const int half = used / 2 + 1;
    move(square_, 0, half), move(square_, stride / 2, half);
    move(split_, 0, half), move(split_, stride / 2, half);
    move(tilted_split_, 0, half), move(tilted_split_, stride / 2, half);
  }
  rows_ = kept;
}

void Strip::shelve(std::int32_t from, std::int32_t to, int width, int rows) {
  for (auto* plane : {&low_, &tilted_low_}) {
    if (plane->data() == nullptr) continue;
    const std::uint16_t* in = plane->data() + from;
    std::uint16_t* out = plane->data() + to;
    for (int y = 0; y < rows; ++y, in += shape_.stride, out += shape_.stride) {
      for (int x = 0; x < width; x += kShelfWidth) std::memcpy(out + x, in + x, kShelfWidth * sizeof(*out));
    }
  }
}

}  // namespace winnow
#endif  // HWY_ONCE
