#include "track/follow/look.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/real_box.h"

namespace winnow {
namespace {

constexpr double kMiddle = 0.8;  // a look shows this fraction of the box's sides: what lies around changes
// Boxes around a box are moved by `kBeside` of its sides, and are larger or smaller by `kLarger` of them.
constexpr double kBeside = 0.04, kLarger = 0.06;

}  // namespace

Look look_at(GrayView picture, const RealBox& box) {
  Look look;
  if (picture.empty()) return look;
  constexpr int kSamples = 2 * kLookSide;
  int columns[kSamples], rows[kSamples];
  const auto spread = [](double first, double length, int side, int(&places)[kSamples]) {
    for (int i = 0; i < kSamples; ++i)
      places[i] = static_cast<int>(
          std::clamp(std::floor(first + (i + 0.5) * length / kSamples), 0.0, static_cast<double>(side - 1)));
  };
  spread(box.x + box.width * (1 - kMiddle) / 2, box.width * kMiddle, picture.width, columns);
  spread(box.y + box.height * (1 - kMiddle) / 2, box.height * kMiddle, picture.height, rows);
  for (int y = 0; y < kLookSide; ++y) {
    const std::uint8_t *upper = picture.row(rows[2 * y]), *lower = picture.row(rows[2 * y + 1]);
    for (int x = 0; x < kLookSide; ++x) {
      const int left = columns[2 * x], right = columns[2 * x + 1];
      look.pixels[static_cast<std::size_t>(y * kLookSide + x)] =
          static_cast<std::uint8_t>((upper[left] + upper[right] + lower[left] + lower[right] + 2) / 4);
    }
  }
  return look;
}

void looks_around(GrayView picture, const RealBox& box, std::vector<Look>& looks) {
  looks.clear();
  for (int size = -1; size <= 1; ++size)
    for (int down = -1; down <= 1; ++down)
      for (int right = -1; right <= 1; ++right) {
        const double width = box.width * (1 + size * kLarger), height = box.height * (1 + size * kLarger);
        looks.push_back(
            look_at(picture, {middle_x(box) + right * kBeside * box.width - width / 2,
                              middle_y(box) + down * kBeside * box.height - height / 2, width, height}));
      }
}

double likeness_of(const Look& a, const Look& b) {
  std::int64_t sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const std::int64_t x = a.pixels[i], y = b.pixels[i];
    sum_a += x;
    sum_b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  constexpr std::int64_t kCount = kLookSide * kLookSide;
  const std::int64_t spread_a = kCount * aa - sum_a * sum_a, spread_b = kCount * bb - sum_b * sum_b;
  if (spread_a == 0 || spread_b == 0) return 0;
  return static_cast<double>(kCount * ab - sum_a * sum_b) /
         std::sqrt(static_cast<double>(spread_a) * static_cast<double>(spread_b));
}

double likeness_of(std::span<const Look> some, std::span<const Look> others) {
  double most = -1;
  for (const Look& a : some)
    for (const Look& b : others) most = std::max(most, likeness_of(a, b));
  return most;
}

}  // namespace winnow
