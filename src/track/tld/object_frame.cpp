#include "track/tld/object_frame.h"

#include <cstddef>

#include "image/border.h"
#include "track/tld/sift/blur_rule.h"
#include "track/tld/sift/fern_lanes.h"

namespace winnow {

void ObjectFrame::make(GrayView frame, int halvings, const ObjectSteps& steps) {
  shown_ = {};
  pyramid_.make(frame, halvings + 1, steps.halve);
  const int made = pyramid_.levels() - 1;
  make_of(pyramid_.level(made), made, steps);
}

void ObjectFrame::make_of(GrayView from, int halvings, const ObjectSteps& steps) {
  shown_ = {halvings, from, {}};
  const Size planes{from.width + 1, from.height + 1};
  const auto values = static_cast<std::size_t>(planes.width) * static_cast<std::size_t>(planes.height);
  sums_.resize(values);
  squares_.resize(values);
  sums_pitch_ = planes.width;
  const auto plane = [&](std::vector<std::uint32_t>& all) {
    return PlaneView{all.data(), planes.width, planes.height,
                     static_cast<std::ptrdiff_t>(planes.width * sizeof(std::uint32_t))};
  };
  steps.integral(from, {plane(sums_), plane(squares_), {}});
  blur();
}

// Sums down the columns first, which needs no border at the sides, then along the rows. Rounds once.
void ObjectFrame::blur() {
  const GrayView from = level();
  const int width = from.width, height = from.height;
  blurred_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) + kFernLanes);
  shown_.blurred = {blurred_.data(), width, height, width};
  rows_.resize(static_cast<std::size_t>(width + 2 * kBlurRadius));
  std::uint16_t* const row = rows_.data() + kBlurRadius;
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* taps[kBlurTaps];
    for (int i = 0; i < kBlurTaps; ++i) taps[i] = from.row(mirrored(y + i - kBlurRadius, height));
    for (int x = 0; x < width; ++x) {
      std::uint32_t sum = 0;
      for (int i = 0; i < kBlurTaps; ++i) sum += kBlur[i] * taps[i][x];
      row[x] = static_cast<std::uint16_t>(sum);
    }
    for (int i = 1; i <= kBlurRadius; ++i) {
      row[-i] = row[mirrored(-i, width)];
      row[width - 1 + i] = row[mirrored(width - 1 + i, width)];
    }
    std::uint8_t* const to = blurred_.data() + static_cast<std::ptrdiff_t>(y) * width;
    for (int x = 0; x < width; ++x) {
      std::uint32_t sum = 0;
      for (int i = 0; i < kBlurTaps; ++i) sum += kBlur[i] * row[x + i - kBlurRadius];
      to[x] = blur_round(sum);
    }
  }
}

RealBox ObjectFrame::to_level(const RealBox& box) const {
  const double scale = 1.0 / (1 << halvings()), by = (1 - scale) / 2;
  return {box.x * scale + by, box.y * scale + by, box.width * scale, box.height * scale};
}

RealBox ObjectFrame::to_frame(const RealBox& box) const {
  const double scale = 1 << halvings(), by = (1 - 1 / scale) / 2;
  return {(box.x - by) * scale, (box.y - by) * scale, box.width * scale, box.height * scale};
}

}  // namespace winnow
