#include <winnow/image.h>

#include "image/gray_rule.h"

namespace winnow {

GrayImage to_gray(RgbView image) {
  if (image.empty()) return {};
  GrayImage gray(image.width, image.height);
  for (int y = 0; y < image.height; ++y) {
    const Rgb* from = image.row(y);
    std::uint8_t* to = gray.row(y);
    for (int x = 0; x < image.width; ++x) to[x] = gray_of(from[x]);
  }
  return gray;
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
