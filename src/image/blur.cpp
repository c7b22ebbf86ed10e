// Blurs a box of a picture until only the means of a few cells are left, as winnow/image.h declares; its
// opening comment holds here.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <winnow/image.h>

namespace winnow {
namespace {

constexpr int kMostCells = 6;        // the most cells along one side of the box
constexpr int kLeastCellPixels = 4;  // along one side of a cell; with fewer, a small box would stay readable

// The number of cells along one side of the visible piece of a box. `visible` and `whole` are the lengths of
// that side of the piece and of the whole box, in pixels. A cell is at least a sixth of the whole box. If the
// piece is shorter than that, the piece is one cell.
int cell_count(int visible, int whole) {
  const std::int64_t by_box = std::int64_t{kMostCells} * visible / whole;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min<std::int64_t>(by_box, visible / kLeastCellPixels), 1, kMostCells));
}

using Means = std::array<std::array<std::array<std::int64_t, 3>, kMostCells>, kMostCells>;

Means cell_means(ImageView<Rgb> area, int columns, int rows) {
  Means means{};
  for (int row = 0; row < rows; ++row) {
    const auto y0 = static_cast<int>(std::int64_t{area.height} * row / rows);
    const auto y1 = static_cast<int>(std::int64_t{area.height} * (row + 1) / rows);
    for (int column = 0; column < columns; ++column) {
      const auto x0 = static_cast<int>(std::int64_t{area.width} * column / columns);
      const auto x1 = static_cast<int>(std::int64_t{area.width} * (column + 1) / columns);
      auto& mean = means[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
          const Rgb pixel = area.row(y)[x];
          mean[0] += pixel.r;
          mean[1] += pixel.g;
          mean[2] += pixel.b;
        }
      }
      const std::int64_t count = std::int64_t{x1 - x0} * (y1 - y0);
      for (std::int64_t& sum : mean) sum = (sum + count / 2) / count;
    }
  }
  return means;
}

// The two cells between whose middles a pixel lies. `weight` is the pixel's distance from the middle of
// `first`, in 1/256 of a cell.
struct Between {
  std::size_t first, second;
  std::int64_t weight;
};

std::vector<Between> places(int pixels, int cells) {
  std::vector<Between> result(static_cast<std::size_t>(pixels));
  for (int i = 0; i < pixels; ++i) {
    // The pixel's middle, in 1/256 cells from the middle of the first cell.
    const std::int64_t at = std::clamp<std::int64_t>(((2 * std::int64_t{i} + 1) * cells * 128) / pixels - 128,
                                                     0, (cells - 1) * 256);
    const auto first = static_cast<std::size_t>(at / 256);
    result[static_cast<std::size_t>(i)] = {first, std::min(first + 1, static_cast<std::size_t>(cells) - 1),
                                           at % 256};
  }
  return result;
}

}  // namespace

void blur_box(ImageView<Rgb> image, const Box& box) {
  if (image.empty() || box.width <= 0 || box.height <= 0) return;
  const std::int64_t left = std::max(box.x, 0), top = std::max(box.y, 0);
  const std::int64_t right = std::min<std::int64_t>(std::int64_t{box.x} + box.width, image.width);
  const std::int64_t bottom = std::min<std::int64_t>(std::int64_t{box.y} + box.height, image.height);
  if (left >= right || top >= bottom) return;
  const ImageView<Rgb> area{image.row(static_cast<int>(top)) + left, static_cast<int>(right - left),
                            static_cast<int>(bottom - top), image.stride};
  const int columns = cell_count(area.width, box.width), rows = cell_count(area.height, box.height);
  const Means means = cell_means(area, columns, rows);
  // Only the means go into the result. Detail that the means do not hold cannot be recovered.
  const std::vector<Between> across = places(area.width, columns), down = places(area.height, rows);
  for (int y = 0; y < area.height; ++y) {
    const Between& v = down[static_cast<std::size_t>(y)];
    for (int x = 0; x < area.width; ++x) {
      const Between& h = across[static_cast<std::size_t>(x)];
      std::array<std::uint8_t, 3> value{};
      for (std::size_t c = 0; c < 3; ++c) {
        const std::int64_t upper =
            means[v.first][h.first][c] * (256 - h.weight) + means[v.first][h.second][c] * h.weight;
        const std::int64_t lower =
            means[v.second][h.first][c] * (256 - h.weight) + means[v.second][h.second][c] * h.weight;
        value[c] = static_cast<std::uint8_t>((upper * (256 - v.weight) + lower * v.weight + 32768) >> 16);
      }
      area.row(y)[x] = {value[0], value[1], value[2]};
    }
  }
}

}  // namespace winnow
