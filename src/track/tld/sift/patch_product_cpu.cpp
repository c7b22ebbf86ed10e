// Adds up products of pixels in lanes of 16 bits, as track/tld/sift/patch_product.h declares; its opening
// comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "track/tld/sift/patch_product_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include "track/tld/sift/patch_product.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Pixels fit in signed numbers of 16 bits, whose products are added in pairs by one instruction. 32 lanes at
// most, so that 224 of the 225 pixels fill vectors.
std::int32_t Product(const std::uint8_t* a, const std::uint8_t* b) {
  const hn::CappedTag<std::int16_t, 32> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const hn::RepartitionToWide<decltype(d)> wide;
  constexpr std::size_t kInVectors = 224;
  static_assert(kInVectors % hn::MaxLanes(d) == 0 && kPatchPixels == kInVectors + 1);
  auto sum = hn::Zero(wide), other = hn::Zero(wide);
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < kInVectors; i += lanes) {
    const auto first = hn::PromoteTo(d, hn::LoadU(bytes, a + i)),
               second = hn::PromoteTo(d, hn::LoadU(bytes, b + i));
    sum = hn::ReorderWidenMulAccumulate(wide, first, second, sum, other);
  }
  return hn::GetLane(hn::SumOfLanes(wide, hn::Add(sum, other))) + std::int32_t{a[kInVectors]} * b[kInVectors];
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Product);

std::int32_t patch_product(const ObjectPatch& a, const ObjectPatch& b) {
  return HWY_DYNAMIC_DISPATCH(Product)(a.pixels.data(), b.pixels.data());
}

}  // namespace winnow
#endif
