// Checks the directions of a basis, for matrices made from known directions and for random matrices.
#include "train/landmarks/shape_basis.h"

#include <gtest/gtest.h>
#include <winnow/landmarks.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "base/random.h"

namespace winnow {
namespace {

constexpr double kOne = 1 << kBasisBits;

TEST(ShapeBasis, FindsKnownDirectionsTheLargestFirst) {
  // Directions of length 1 at right angles, and the sums of squares along them.
  constexpr double kHalf = 0.5;
  const std::array<std::array<double, 4>, 4> known = {{{kHalf, kHalf, kHalf, kHalf},
                                                       {kHalf, -kHalf, kHalf, -kHalf},
                                                       {kHalf, kHalf, -kHalf, -kHalf},
                                                       {kHalf, -kHalf, -kHalf, kHalf}}};
  const std::array<double, 4> sums = {30, 5, 1000, 0};
  std::vector<double> products(16);
  for (std::size_t v = 0; v < 4; ++v)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b) products[a * 4 + b] += sums[v] * known[v][a] * known[v][b];
  const std::vector<std::int16_t> basis = main_directions(products, 4, 3);
  ASSERT_EQ(basis.size(), 12u);
  const std::array<std::size_t, 3> order = {2, 0, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    const double sign = basis[d * 4] < 0 ? -1 : 1;
    for (std::size_t c = 0; c < 4; ++c)
      EXPECT_EQ(basis[d * 4 + c], sign * known[order[d]][c] * kOne) << "direction " << d;
  }
}

TEST(ShapeBasis, ASingleDirection) {
  // Coordinates 0 and 2 move together; coordinate 2 moves 3/4 as far as coordinate 0.
  std::vector<double> products(9);
  products[0] = 16, products[2] = products[6] = 12, products[8] = 9;
  const std::vector<std::int16_t> basis = main_directions(products, 3, 1);
  EXPECT_EQ(std::abs(basis[0]), std::floor(0.8 * kOne + 0.5));
  EXPECT_EQ(basis[1], 0);
  EXPECT_NEAR(basis[2], 0.75 * basis[0], 1);
}

TEST(ShapeBasis, IsOrthogonalAndSorted) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{10}, std::size_t{33}}) {
    Random random(n);
    std::vector<double> products(n * n);
    for (int i = 0; i < 60; ++i) {
      std::vector<double> row(n);
      for (std::size_t c = 0; c < n; ++c)
        row[c] = std::floor(1e5 * random.bell() / (1 + static_cast<double>(c)));
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          products[a * n + b] += row[a] * (row[b] + (a == b ? 0 : row[0] / 3));
    }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b) products[a * n + b] = products[b * n + a];
    const std::vector<std::int16_t> basis = main_directions(products, n, n);
    EXPECT_EQ(main_directions(products, n, n), basis);
    double before = INFINITY, all = 0;
    for (std::size_t i = 0; i < n; ++i) all += products[i * n + i];
    for (std::size_t d = 0; d < n; ++d) {
      for (std::size_t e = 0; e <= d; ++e) {
        double dot = 0;
        for (std::size_t c = 0; c < n; ++c)
          dot += static_cast<double>(basis[d * n + c]) * basis[e * n + c] / kOne / kOne;
        EXPECT_NEAR(dot, d == e ? 1 : 0, 1e-3) << d << ", " << e;
      }
      // The matrix only scales a direction, by the sum of squares along it.
      double sum = 0;
      std::vector<double> scaled(n);
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) scaled[a] += products[a * n + b] * basis[d * n + b] / kOne;
        sum += scaled[a] * basis[d * n + a] / kOne;
      }
      for (std::size_t a = 0; a < n; ++a) EXPECT_NEAR(scaled[a], sum * basis[d * n + a] / kOne, 1e-3 * all);
      EXPECT_LE(sum, before + 1e-3 * all);
      before = sum;
    }
  }
}

TEST(ShapeBasis, NothingMovesNowhere) {
  EXPECT_EQ(main_directions(std::vector<double>(4), 2, 2),
            (std::vector<std::int16_t>{1 << kBasisBits, 0, 0, 1 << kBasisBits}));
}

}  // namespace
}  // namespace winnow
