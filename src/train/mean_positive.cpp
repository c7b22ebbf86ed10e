#include "train/mean_positive.h"

#include <cstdint>
#include <vector>

namespace winnow {

GrayImage mean_positive(const Pack& pack, Size middle) {
  const int left = (pack.window.width - middle.width) / 2, top = (pack.window.height - middle.height) / 2;
  const auto width = static_cast<std::size_t>(middle.width);
  std::vector<std::uint64_t> sums(width * static_cast<std::size_t>(middle.height), 0);
  for (std::size_t i = 0; i < pack.positive_count(); ++i) {
    const GrayView sample = pack.positive(i);
    for (int y = 0; y < middle.height; ++y) {
      const std::uint8_t* row = sample.row(top + y) + left;
      std::uint64_t* sum = sums.data() + static_cast<std::size_t>(y) * width;
      for (std::size_t x = 0; x < width; ++x) sum[x] += row[x];
    }
  }
  GrayImage mean(middle.width, middle.height);
  for (int y = 0; y < middle.height; ++y) {
    for (int x = 0; x < middle.width; ++x) {
      mean.row(y)[x] = static_cast<std::uint8_t>(
          sums[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] / pack.positive_count());
    }
  }
  return mean;
}

}  // namespace winnow
