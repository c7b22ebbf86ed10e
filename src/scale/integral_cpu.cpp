#include <algorithm>

#include "scale/integral.h"
#include "scale/strip.h"

namespace winnow {
namespace {

// Sum and squared sum of one row: whole steps of the lanes, then what is left.
void add_row(GrayView picture, const IntegralPlanes& planes, int y) {
  const std::uint8_t* pixels = picture.row(y);
  const std::uint32_t* above_square = planes.square.data ? planes.square.row(y) : nullptr;
  std::uint32_t* square = planes.square.data ? planes.square.row(y + 1) : nullptr;
  const StripRow row{planes.sum.row(y), above_square, planes.sum.row(y + 1), square, nullptr, nullptr, nullptr};
  const int whole = picture.width / 8 * 8;
  row.sum[0] = 0;
  if (square != nullptr) square[0] = 0;
  add_integral_row_cpu(pixels, whole, row);
  std::uint32_t sum = row.sum[whole] - row.above_sum[whole];
  std::uint32_t squares = square != nullptr ? square[whole] - above_square[whole] : 0;
  for (int x = whole; x < picture.width; ++x) {
    const std::uint32_t p = pixels[x];
    sum += p;
    row.sum[x + 1] = row.above_sum[x + 1] + sum;
    if (square == nullptr) continue;
    squares += p * p;
    square[x + 1] = above_square[x + 1] + squares;
  }
}

}  // namespace

void integral_cpu(GrayView picture, const IntegralPlanes& planes) {
  if (planes.sum.data == nullptr) {
    integral_ref(picture, planes);  // nobody asks for squares alone
    return;
  }
  std::fill_n(planes.sum.row(0), picture.width + 1, 0u);
  if (planes.square.data) std::fill_n(planes.square.row(0), picture.width + 1, 0u);
  for (int y = 0; y < picture.height; ++y) add_row(picture, planes, y);
  // Its loops are plain in both backends: the compiler makes lanes of them.
  if (planes.tilted.data) integral_ref(picture, {{}, {}, planes.tilted});
}

}  // namespace winnow
