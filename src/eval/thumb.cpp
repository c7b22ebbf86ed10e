#include "eval/thumb.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "image/files/encode.h"
#include "page/html.h"

namespace winnow {
namespace {

// Shrinks a picture: each pixel is the average of a square of `factor` x `factor` pixels.
GrayImage shrink(GrayView picture, int factor) {
  GrayImage small(std::max(picture.width / factor, 1), std::max(picture.height / factor, 1));
  for (int y = 0; y < small.height(); ++y) {
    for (int x = 0; x < small.width(); ++x) {
      const int right = std::min((x + 1) * factor, picture.width),
                bottom = std::min((y + 1) * factor, picture.height);
      std::int64_t sum = 0, count = 0;
      for (int v = y * factor; v < bottom; ++v) {
        for (int u = x * factor; u < right; ++u) sum += picture.row(v)[u], ++count;
      }
      small.row(y)[x] = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
  return small;
}

}  // namespace

std::optional<Thumb> make_thumb(GrayView picture, const RealBox& place, const ThumbSize& size) {
  const double side = std::max(place.width, place.height) * (1 + 2 * size.margin);
  const double middle_x = place.x + place.width / 2, middle_y = place.y + place.height / 2;
  // The place may come from a label, which may hold any numbers.
  if (!(side > 0 && side < 1e6 && std::abs(middle_x) < 1e6 && std::abs(middle_y) < 1e6)) return std::nullopt;
  const Box around = clip(
      {static_cast<int>(std::floor(middle_x - side / 2)), static_cast<int>(std::floor(middle_y - side / 2)),
       static_cast<int>(std::ceil(side)), static_cast<int>(std::ceil(side))},
      picture.size());
  if (around.width <= 0 || around.height <= 0) return std::nullopt;
  const int factor = (std::max(around.width, around.height) + size.longest_side - 1) / size.longest_side;
  const GrayImage small = shrink(picture.crop(around), factor);
  Thumb thumb;
  thumb.width = small.width();
  thumb.height = small.height();
  thumb.place = {(place.x - around.x) / around.width, (place.y - around.y) / around.height,
                 place.width / around.width, place.height / around.height};
  thumb.uri = "data:image/jpeg;base64," + base64(encode_jpeg(small.view()));
  return thumb;
}

}  // namespace winnow
