// Halves a picture with SIMD, as scale/gaussian/halve.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scale/gaussian/halve_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "scale/gaussian/halve.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, 16>;
using D8 = hn::Repartition<std::uint8_t, D16>;
using V16 = hn::Vec<D16>;
constexpr int kN = static_cast<int>(hn::MaxLanes(D16()));

// Sums five values with the weights 1 4 6 4 1, computed as 2 * third + 4 * (second + third + fourth) + first
// + fifth.
HWY_INLINE V16 weighted(V16 first, V16 second, V16 third, V16 fourth, V16 fifth) {
  const V16 middle = hn::Add(third, hn::Add(second, fourth));
  return hn::Add(hn::Add(first, fifth), hn::Add(hn::ShiftLeft<2>(middle), hn::Add(third, third)));
}

// Sums down two columns in each lane: the lower byte of a lane is in an even column, the upper byte in an odd
// column. The sum of whole lanes is even + 256 * odd, modulo 2^16. The sums `even` and `odd` are at most
// 4,080, so subtracting 256 * odd gives even.
template <class Load>
HWY_INLINE void DownTwo(Load load, std::uint16_t* HWY_RESTRICT even, std::uint16_t* HWY_RESTRICT odd) {
  const D16 d16;
  const V16 a = load(0), b = load(1), c = load(2), d = load(3), e = load(4);
  const V16 both = weighted(a, b, c, d, e);
  const V16 upper = weighted(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b), hn::ShiftRight<8>(c),
                             hn::ShiftRight<8>(d), hn::ShiftRight<8>(e));
  hn::StoreU(hn::Sub(both, hn::ShiftLeft<8>(upper)), d16, even);
  hn::StoreU(upper, d16, odd);
}

void Down(const std::uint8_t* const* HWY_RESTRICT rows, int width, std::uint16_t* HWY_RESTRICT even,
          std::uint16_t* HWY_RESTRICT odd) {
  const D16 d16;
  const D8 d8;
  const auto at = [&](int x) HWY_ATTR {
    DownTwo([&](int row) HWY_ATTR { return hn::BitCast(d16, hn::LoadU(d8, rows[row] + x)); }, even + x / 2,
            odd + x / 2);
  };
  // Nothing may be read beyond the end of the picture.
  if (width < 2 * kN) {
    HWY_ALIGN std::uint8_t padded[kHalveTaps][2 * kN] = {};
    for (int row = 0; row < kHalveTaps; ++row)
      std::memcpy(padded[row], rows[row], static_cast<std::size_t>(width));
    DownTwo([&](int row) HWY_ATTR { return hn::BitCast(d16, hn::Load(d8, padded[row])); }, even, odd);
    return;
  }
  int x = 0;
  for (; x + 2 * kN <= width; x += 2 * kN) at(x);
  if (x == width) return;
  // The last vector must begin at an even column, too. It computes some sums a second time.
  at((width - 2 * kN) / 2 * 2);
  if (width % 2 != 0) {
    const int last = width - 1;
    even[last / 2] = static_cast<std::uint16_t>(
        halve_sum(rows[0][last], rows[1][last], rows[2][last], rows[3][last], rows[4][last]));
  }
}

HWY_INLINE V16 AcrossSome(const std::uint16_t* HWY_RESTRICT even, const std::uint16_t* HWY_RESTRICT odd) {
  const D16 d16;
  const V16 sum = weighted(hn::LoadU(d16, even - 1), hn::LoadU(d16, odd - 1), hn::LoadU(d16, even),
                           hn::LoadU(d16, odd), hn::LoadU(d16, even + 1));
  return hn::ShiftRight<8>(hn::Add(sum, hn::Set(d16, kHalveRounding)));
}

void Across(const std::uint16_t* HWY_RESTRICT even, const std::uint16_t* HWY_RESTRICT odd, int width,
            std::uint8_t* HWY_RESTRICT out) {
  const hn::RebindToSigned<D16> ds16;
  const hn::Rebind<std::uint8_t, D16> d8;
  const auto put = [&](int x, std::uint8_t* to) HWY_ATTR {
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(ds16, AcrossSome(even + x, odd + x))), d8, to);
  };
  // Nothing may be written beyond the end of the row.
  if (width < kN) {
    std::uint8_t padded[kN];
    put(0, padded);
    std::memcpy(out, padded, static_cast<std::size_t>(width));
    return;
  }
  for (int x = 0; x + kN <= width; x += kN) put(x, out + x);
  if (width % kN != 0) put(width - kN, out + width - kN);  // computes some pixels a second time
}

// `even` points to the sum of column 0, and `odd` to the sum of column 1. Before each pointer there is
// room for one more sum. Behind the end of each list there is the room that `halve_cpu` adds.
void Halve(GrayView source, ImageView<std::uint8_t> target, std::uint16_t* even, std::uint16_t* odd) {
  // The list is chosen before it is indexed, because with -fsanitize=undefined g++ 12 indexes a conditional
  // pointer wrongly.
  const auto sum_of = [&](int column) -> std::uint16_t& {
    std::uint16_t* sums = column % 2 == 0 ? even : odd;
    return sums[column / 2];
  };
  for (int y = 0; y < target.height; ++y) {
    const std::uint8_t* rows[kHalveTaps];
    for (int j = 0; j < kHalveTaps; ++j)
      rows[j] = source.row(mirrored(2 * y + j - kHalveRadius, source.height));
    Down(rows, source.width, even, odd);
    even[-1] = sum_of(mirrored(-2, source.width));
    odd[-1] = sum_of(mirrored(-1, source.width));
    for (int x = source.width; x < source.width + kHalveRadius; ++x)
      sum_of(x) = sum_of(mirrored(x, source.width));
    Across(even, odd, target.width, target.row(y));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Halve);

void halve_cpu(GrayView source, ImageView<std::uint8_t> target, HalveRow& row) {
  // A vector has at most 16 sums. One sum before the first and one behind the last are mirror images. Vectors
  // read and write beyond the mirror images.
  constexpr std::size_t kFront = 16, kBehind = 32;
  const std::size_t each = kFront + static_cast<std::size_t>(target.width) + kBehind;
  if (row.sums.size() < 2 * each) row.sums.resize(2 * each);
  HWY_DYNAMIC_DISPATCH(Halve)
  (source, target, row.sums.data() + kFront, row.sums.data() + each + kFront);
}

}  // namespace winnow
#endif  // HWY_ONCE
