#include "train/svm/mirror.h"

#include <algorithm>
#include <cmath>

namespace winnow {
namespace {

constexpr float kHalfRoot = 0.70710678F;

}  // namespace

bool has_mirrored_bins(const HogShape& shape) { return !shape.directed || shape.bins % 2 == 0; }

MirrorFold::MirrorFold(const HogShape& shape) : values_(shape.values()) {
  const Size blocks = shape.blocks(), cells = shape.cells();
  const auto place = [&](int i, int j, int x, int y, int bin) {
    return static_cast<std::uint32_t>(
        (((i * blocks.height + j) * cells.width + x) * cells.height + y) * shape.bins + bin);
  };
  for (int i = 0; i < blocks.width; ++i) {
    for (int j = 0; j < blocks.height; ++j) {
      for (int x = 0; x < cells.width; ++x) {
        for (int y = 0; y < cells.height; ++y) {
          for (int bin = 0; bin < shape.bins; ++bin) {
            // Mirroring turns the angle a into 180 degrees - a.
            const int half = shape.directed ? shape.bins / 2 : shape.bins;
            const int other = (half - 1 - bin + shape.bins) % shape.bins;
            const std::uint32_t here = place(i, j, x, y, bin),
                                there = place(blocks.width - 1 - i, j, cells.width - 1 - x, y, other);
            if (here <= there) pairs_.emplace_back(here, there);
          }
        }
      }
    }
  }
}

void MirrorFold::fold(const std::int16_t* row, std::int16_t* folded) const {
  for (const auto& [here, there] : pairs_) {
    const int sum = row[here] + row[there];
    const float value = here == there ? static_cast<float>(row[here]) : kHalfRoot * static_cast<float>(sum);
    *folded++ = static_cast<std::int16_t>(std::clamp(std::lrint(value), -32768L, 32767L));
  }
}

std::vector<float> MirrorFold::unfold(const std::vector<float>& weights) const {
  std::vector<float> all(values_);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto [here, there] = pairs_[i];
    all[here] = all[there] = here == there ? weights[i] : kHalfRoot * weights[i];
  }
  return all;
}

}  // namespace winnow
