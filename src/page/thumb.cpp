#include "page/thumb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

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

RgbImage shrink_to(RgbView picture, int longest_side) {
  const int factor = std::max(1, (std::max(picture.width, picture.height) + longest_side - 1) / longest_side);
  RgbImage small(std::max(picture.width / factor, 1), std::max(picture.height / factor, 1));
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(small.width()) * 3);
  for (int y = 0; y < small.height(); ++y) {
    std::fill(sums.begin(), sums.end(), 0);
    const int bottom = std::min((y + 1) * factor, picture.height);
    for (int v = y * factor; v < bottom; ++v) {
      const Rgb* pixel = picture.row(v);
      for (int x = 0; x < small.width(); ++x) {
        std::uint32_t* const sum = &sums[static_cast<std::size_t>(x) * 3];
        for (int u = x * factor, end = std::min(u + factor, picture.width); u < end; ++u, ++pixel) {
          sum[0] += pixel->r, sum[1] += pixel->g, sum[2] += pixel->b;
        }
      }
    }
    for (int x = 0; x < small.width(); ++x) {
      const auto count =
          static_cast<std::uint32_t>((bottom - y * factor) * std::min(factor, picture.width - x * factor));
      const std::uint32_t* const sum = &sums[static_cast<std::size_t>(x) * 3];
      const auto mean = [&](int i) { return static_cast<std::uint8_t>((sum[i] + count / 2) / count); };
      small.row(y)[x] = {mean(0), mean(1), mean(2)};
    }
  }
  return small;
}

std::string points_over(const Thumb& thumb, const RealBox& place, std::span<const Point> marked,
                        std::span<const Point> found) {
  std::string text = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" style=\"position:absolute;left:0;top:0;width:100%;height:100%\">\n",
      thumb.width, thumb.height);
  const auto out = std::back_inserter(text);
  // The scale is the same across and down. It comes from the longer side, since the other side of `place` is
  // 0 if all points lie on one line.
  const double scale = place.width > place.height ? thumb.place.width * thumb.width / place.width
                                                  : thumb.place.height * thumb.height / place.height;
  // The middle of the first pixel is (0, 0) in labels and shapes, and (0.5, 0.5) in a drawing.
  const auto at = [&](const Point& point) {
    return Point{thumb.place.x * thumb.width + (point.x + 0.5 - place.x) * scale,
                 thumb.place.y * thumb.height + (point.y + 0.5 - place.y) * scale};
  };
  std::string dots;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const Point from = at(marked[i]), to = at(found[i]);
    fmt::format_to(out, "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"0.8\"/>",
                   from.x, from.y, to.x, to.y, kFoundColor);
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.6\" fill=\"{}\"/>", from.x, from.y,
                        kMarkedColor);
    dots +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.6\" fill=\"{}\"/>\n", to.x, to.y, kFoundColor);
  }
  return text + "\n" + dots + "</svg>";
}

}  // namespace winnow
