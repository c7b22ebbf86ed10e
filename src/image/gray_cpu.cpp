// Converts pictures (RGB to grey, grey to RGB, and BGR to RGB) as winnow/image.h declares; its opening
// comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "image/gray_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <winnow/image.h>

#include "image/gray_rule.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Applies `gray_of` to a row.
void Grays(const Rgb* HWY_RESTRICT from, int width, std::uint8_t* HWY_RESTRICT to) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const hn::Rebind<std::int32_t, decltype(d)> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto red = hn::Set(d, kGrayRed), green = hn::Set(d, kGrayGreen), blue = hn::Set(d, kGrayBlue),
             half = hn::Set(d, 1u << (kGrayBits - 1));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    hn::Vec<decltype(d8)> r, g, b;
    hn::LoadInterleaved3(d8, reinterpret_cast<const std::uint8_t*>(from + x), r, g, b);
    const auto sum = hn::Add(hn::Add(hn::Mul(hn::PromoteTo(d, r), red), hn::Mul(hn::PromoteTo(d, g), green)),
                             hn::Add(hn::Mul(hn::PromoteTo(d, b), blue), half));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, hn::ShiftRight<kGrayBits>(sum))), d8, to + x);
  }
  for (; x < width; ++x) to[x] = gray_of(from[x]);
}

// Swaps the first and the last channel of each pixel in a row.
void Swap(const std::uint8_t* HWY_RESTRICT from, int width, std::uint8_t* HWY_RESTRICT to) {
  const hn::ScalableTag<std::uint8_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    hn::Vec<decltype(d)> first, second, third;
    hn::LoadInterleaved3(d, from + 3 * x, first, second, third);
    hn::StoreInterleaved3(third, second, first, d, to + 3 * x);
  }
  for (; x < width; ++x)
    for (int channel = 0; channel < 3; ++channel) to[3 * x + channel] = from[3 * x + 2 - channel];
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Grays);
HWY_EXPORT(Swap);

GrayImage to_gray(RgbView image) {
  if (image.empty()) return {};
  GrayImage gray(image.width, image.height);
  for (int y = 0; y < image.height; ++y) HWY_DYNAMIC_DISPATCH(Grays)(image.row(y), image.width, gray.row(y));
  return gray;
}

RgbImage from_bgr(const std::uint8_t* pixels, Size size, std::ptrdiff_t stride) {
  RgbImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) HWY_DYNAMIC_DISPATCH(Swap)
  (pixels + y * stride, size.width, reinterpret_cast<std::uint8_t*>(image.row(y)));
  return image;
}

RgbImage to_color(GrayView image) {
  if (image.empty()) return {};
  RgbImage color(image.width, image.height);
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* from = image.row(y);
    Rgb* to = color.row(y);
    for (int x = 0; x < image.width; ++x) to[x] = {from[x], from[x], from[x]};
  }
  return color;
}

}  // namespace winnow
#endif  // HWY_ONCE
