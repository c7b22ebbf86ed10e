#include "train/landmarks/shape_basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <winnow/landmarks.h>

namespace winnow {

// Jacobi's method: each sweep rotates every pair of directions so that their product becomes 0. Sweeps repeat
// until all products are nearly 0.
std::vector<std::int16_t> main_directions(std::vector<double> m, std::size_t n, std::size_t directions) {
  constexpr int kMostSweeps = 30;
  std::vector<double> vectors(n * n, 0);  // one direction per row
  for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1;
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) all += m[i * n + i];
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double off = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) off += m[i * n + j] * m[i * n + j];
    if (!(std::sqrt(off) > all * 1e-12)) break;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        const double product = m[i * n + j];
        if (product == 0) continue;
        const double half = (m[j * n + j] - m[i * n + i]) / (2 * product);
        const double tangent = (half >= 0 ? 1 : -1) / (std::abs(half) + std::sqrt(half * half + 1));
        const double cosine = 1 / std::sqrt(tangent * tangent + 1), sine = tangent * cosine;
        for (std::size_t k = 0; k < n; ++k) {
          const double a = m[k * n + i], b = m[k * n + j];
          m[k * n + i] = cosine * a - sine * b;
          m[k * n + j] = sine * a + cosine * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double a = m[i * n + k], b = m[j * n + k];
          m[i * n + k] = cosine * a - sine * b;
          m[j * n + k] = sine * a + cosine * b;
          const double c = vectors[i * n + k], d = vectors[j * n + k];
          vectors[i * n + k] = cosine * c - sine * d;
          vectors[j * n + k] = sine * c + cosine * d;
        }
      }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return m[a * n + a] > m[b * n + b]; });
  std::vector<std::int16_t> basis;
  for (std::size_t d = 0; d < directions; ++d)
    for (std::size_t k = 0; k < n; ++k)
      basis.push_back(
          static_cast<std::int16_t>(std::floor(vectors[order[d] * n + k] * (1 << kBasisBits) + 0.5)));
  return basis;
}

}  // namespace winnow
