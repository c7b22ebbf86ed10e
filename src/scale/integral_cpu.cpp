#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/integral_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scale/integral.h"
#include "scale/prefix_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Columns 1 .. width of one row of both planes. `sums` and `squares` hold the row above and then this one, in
// the nearest cache; the planes are only written. (Stores past the cache were half as fast: 1080p planes fit
// the last one.)
void SumRow(const std::uint8_t* HWY_RESTRICT pixels, int width, std::uint32_t* HWY_RESTRICT sums,
            std::uint32_t* HWY_RESTRICT squares, std::uint32_t* HWY_RESTRICT sum_out,
            std::uint32_t* HWY_RESTRICT square_out) {
  const D32 d32;
  const D16 d16;
  const D8 d8;
  std::uint32_t sum = 0, square = 0;
  const auto one = [&](int x) {
    const std::uint32_t p = pixels[x];
    sum += p;
    square += p * p;
    sum_out[x] = sums[x] += sum;
    if (square_out != nullptr) square_out[x] = squares[x] += square;
  };
  // Up to where stores do not cross cache lines: they are the bottleneck (1.10 ms against 1.24 for 1080p).
  int x = 0;
  while (x < width && reinterpret_cast<std::uintptr_t>(sum_out + x) % (kN * sizeof(std::uint32_t)) != 0)
    one(x++);
  V32 before = hn::Set(d32, sum), before_square = hn::Set(d32, square);
  for (; x + kN <= width; x += kN) {
    const auto p = hn::PromoteTo(d16, hn::LoadU(d8, pixels + x));
    const V32 s = prefix(hn::PromoteTo(d32, p));
    const V32 all = hn::Add(hn::Add(s, before), hn::LoadU(d32, sums + x));
    before = hn::Add(before, last_everywhere(s));  // one addition from step to step, the shuffles beside it
    hn::StoreU(all, d32, sums + x);
    hn::StoreU(all, d32, sum_out + x);
    if (square_out == nullptr) continue;
    const V32 q = prefix(hn::PromoteTo(d32, hn::Mul(p, p)));
    const V32 all_squares = hn::Add(hn::Add(q, before_square), hn::LoadU(d32, squares + x));
    before_square = hn::Add(before_square, last_everywhere(q));
    hn::StoreU(all_squares, d32, squares + x);
    hn::StoreU(all_squares, d32, square_out + x);
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
    integral_ref(picture, planes);  // nobody asks for squares alone
    return;
  }
  const auto width = static_cast<std::size_t>(picture.width);
  std::vector<std::uint32_t> sums(width + 16), squares(width + 16);
  std::fill_n(planes.sum.row(0), width + 1, 0u);
  if (planes.square.data) std::fill_n(planes.square.row(0), width + 1, 0u);
  for (int y = 0; y < picture.height; ++y) {
    std::uint32_t* sum = planes.sum.row(y + 1);
    std::uint32_t* square = planes.square.data ? planes.square.row(y + 1) : nullptr;
    sum[0] = 0;
    if (square != nullptr) square[0] = 0;
    HWY_DYNAMIC_DISPATCH(SumRow)
    (picture.row(y), picture.width, sums.data(), squares.data(), sum + 1,
     square != nullptr ? square + 1 : nullptr);
  }
  // Its loops are plain in both backends: the compiler makes lanes of them.
  if (planes.tilted.data) integral_ref(picture, {{}, {}, planes.tilted});
}

}  // namespace winnow
#endif  // HWY_ONCE
