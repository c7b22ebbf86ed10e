// Computes what hog/rows/block_row.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/rows/block_row_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include "hog/hog_form.h"
#include "hog/rows/block_row.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;

void Normalise(float* HWY_RESTRICT sums, int values, int pitch, float length_offset, float clip,
               std::int32_t* HWY_RESTRICT pairs) {
  const DF d;
  const DI di;
  const VF limit = hn::Set(d, clip), unit = hn::Set(d, static_cast<float>(1 << kHogValueBits)),
           most = hn::Set(d, 32767.f), one = hn::Set(d, 1.f);
  for (int x = 0; x < pitch; x += static_cast<int>(hn::Lanes(d))) {
    float* const at = sums + x;
    VF squares = hn::Zero(d);
    for (int i = 0; i < values; ++i) {
      const VF sum = hn::LoadU(d, at + i * pitch);
      squares = hn::Add(squares, hn::Mul(sum, sum));
    }
    const VF first = hn::Div(one, hn::Add(hn::Sqrt(squares), hn::Set(d, length_offset)));
    squares = hn::Zero(d);
    for (int i = 0; i < values; ++i) {
      const VF value = hn::Min(hn::Mul(hn::LoadU(d, at + i * pitch), first), limit);
      hn::StoreU(value, d, at + i * pitch);
      squares = hn::Add(squares, hn::Mul(value, value));
    }
    const VF second = hn::Div(one, hn::Add(hn::Sqrt(squares), hn::Set(d, 1e-3f)));
    const auto whole = [&](int i) {
      return hn::ConvertTo(
          di, hn::Min(hn::Round(hn::Mul(hn::Mul(hn::LoadU(d, at + i * pitch), second), unit)), most));
    };
    for (int i = 0; i < values; i += 2) {
      auto pair = whole(i);
      if (i + 1 < values) pair = hn::Or(pair, hn::ShiftLeft<16>(whole(i + 1)));
      hn::StoreU(pair, di, pairs + (i / 2) * pitch + x);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Normalise);

void normalise_row_cpu(float* sums, int values, int pitch, float length_offset, float clip,
                       std::int32_t* pairs) {
  HWY_DYNAMIC_DISPATCH(Normalise)(sums, values, pitch, length_offset, clip, pairs);
}

}  // namespace winnow
#endif  // HWY_ONCE
