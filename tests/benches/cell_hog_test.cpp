// Tests that a thesis's methods CPU-HC and CPU-II score each window as a plain computation does.
#include "people/cell_hog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "people/hard_votes.h"

namespace bench {
namespace {

winnow::GrayImage noise(winnow::Size size) {
  std::mt19937 random(5);
  winnow::GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(random() % 40 + static_cast<unsigned>(x * 2 + y) % 160);
  return image;
}

winnow::HogSvmModel random_model() {
  std::mt19937 random(6);
  winnow::HogSvmModel model;
  for (std::size_t i = 0; i < model.shape.values(); ++i)
    model.weights.push_back(static_cast<float>(random() % 2000) / 10000.f - 0.1f);
  model.bias = 0.25;
  return model;
}

// Computes a window's score in doubles, in the order of the model's weights.
double plain_score(const winnow::HogSvmModel& model, winnow::GrayView level, int left, int top) {
  double score = model.bias;
  auto weight = model.weights.begin();
  for (int bx = 0; bx < 7; ++bx) {
    for (int by = 0; by < 15; ++by) {
      std::vector<double> values;
      for (int cx = 0; cx < 2; ++cx) {
        for (int cy = 0; cy < 2; ++cy) {
          std::vector<double> cell(kBins);
          for (int y = top + (by + cy) * 8; y < top + (by + cy) * 8 + 8; ++y) {
            for (int x = left + (bx + cx) * 8; x < left + (bx + cx) * 8 + 8; ++x) {
              const auto pixel = [&](int px, int py) {
                return int{level.row(mirrored_place(py, level.height))[mirrored_place(px, level.width)]};
              };
              const int dx = pixel(x + 1, y) - pixel(x - 1, y), dy = pixel(x, y + 1) - pixel(x, y - 1);
              cell[static_cast<std::size_t>(hard_bin(dx, dy))] +=
                  std::sqrt(static_cast<double>(dx * dx + dy * dy)) / 255;
            }
          }
          values.insert(values.end(), cell.begin(), cell.end());
        }
      }
      for (const double length_offset : {3.6 / 255, 1e-3}) {
        double squares = 0;
        for (const double value : values) squares += value * value;
        for (double& value : values) {
          value /= std::sqrt(squares) + length_offset;
          if (length_offset > 1e-3) value = std::min(value, 0.2);
        }
      }
      for (const double value : values) score += value * static_cast<double>(*weight++);
    }
  }
  return score;
}

TEST(CellHog, MethodsGiveThePlainScores) {
  const winnow::GrayImage image = noise({101, 163});
  const winnow::HogSvmModel model = random_model();
  CellHog cells(model);
  for (const CellMethod method : {CellMethod::kCells, CellMethod::kBlocks, CellMethod::kIntegral}) {
    std::vector<float> scores;
    cells.scan(method, image.view(), 8, scores);
    ASSERT_EQ(scores.size(), 5u * 5u);
    for (int row = 0; row < 5; ++row)
      for (int col = 0; col < 5; ++col)
        EXPECT_NEAR(scores[static_cast<std::size_t>(row * 5 + col)],
                    plain_score(model, image.view(), col * 8, row * 8), 2e-3);
  }
}

TEST(CellHog, IntegralHistogramsTakeAnyStride) {
  const winnow::GrayImage image = noise({70, 140});
  const winnow::HogSvmModel model = random_model();
  CellHog cells(model);
  std::vector<float> scores;
  cells.scan(CellMethod::kIntegral, image.view(), 3, scores);
  ASSERT_EQ(scores.size(), 3u * 5u);
  for (int row = 0; row < 5; ++row)
    for (int col = 0; col < 3; ++col)
      EXPECT_NEAR(scores[static_cast<std::size_t>(row * 3 + col)],
                  plain_score(model, image.view(), col * 3, row * 3), 2e-3);
  EXPECT_ANY_THROW(cells.scan(CellMethod::kCells, image.view(), 3, scores));
}

TEST(CellHog, SmallLevelsHaveNoWindows) {
  const winnow::GrayImage image = noise({63, 200});
  CellHog cells(random_model());
  std::vector<float> scores(3);
  cells.scan(CellMethod::kCells, image.view(), 8, scores);
  EXPECT_TRUE(scores.empty());
}

}  // namespace
}  // namespace bench
