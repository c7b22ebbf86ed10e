#include "train/samples/jitter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <winnow/error.h>

namespace winnow {
namespace {

constexpr double kPi = 3.141592653589793;

void check(const char* name, double value, double most) {
  if (value >= 0 && value <= most) return;
  std::string limit = std::to_string(most);
  limit.erase(limit.find_last_not_of('0') + 1);
  if (limit.back() == '.') limit.pop_back();
  throw Error(ErrorCode::kUsage, std::string("the ") + name + " of copies must be from 0 to " + limit);
}

// Applies the filter [a, 1 - 2a, a] once to each line: a row, or a column. The pixel at an edge is repeated.
void smooth(std::vector<double>& pixels, int lines, int length, int line_step, int step, double a) {
  std::vector<double> old(static_cast<std::size_t>(length));
  for (int line = 0; line < lines; ++line) {
    double* p = pixels.data() + std::ptrdiff_t{line} * line_step;
    for (int i = 0; i < length; ++i) old[static_cast<std::size_t>(i)] = p[std::ptrdiff_t{i} * step];
    for (int i = 0; i < length; ++i) {
      const double before = old[static_cast<std::size_t>(std::max(i - 1, 0))];
      const double after = old[static_cast<std::size_t>(std::min(i + 1, length - 1))];
      const double own = old[static_cast<std::size_t>(i)];
      p[std::ptrdiff_t{i} * step] = own + a * (before - own) + a * (after - own);
    }
  }
}

// Approximates a Gaussian blur by repeated small filters, whose variances add up. Their weights need no
// exponential, which machines round differently.
void blur(ImageView<std::uint8_t> window, double deviation) {
  std::vector<double> pixels;
  for (int y = 0; y < window.height; ++y)
    pixels.insert(pixels.end(), window.row(y), window.row(y) + window.width);
  const double variance = deviation * deviation;
  const int steps = static_cast<int>(std::ceil(variance / 0.5));
  for (int i = 0; i < steps; ++i) {
    const double a = variance / steps / 2;
    smooth(pixels, window.height, window.width, window.width, 1, a);
    smooth(pixels, window.width, window.height, 1, window.width, a);
  }
  for (int y = 0; y < window.height; ++y) {
    const double* row = pixels.data() + std::ptrdiff_t{y} * window.width;
    std::transform(row, row + window.width, window.row(y), to_byte);
  }
}

// Returns how far a pixel's middle lies from the window's middle along a direction, in units in which each
// side of the window has length 1.
double along(Rotation direction, Size window, int x, int y) {
  const double across = ((x + 0.5) / window.width - 0.5) * direction.cos;
  const double down = ((y + 0.5) / window.height - 0.5) * direction.sin;
  return across + down;
}

// Lights the window from one side. That side keeps its light, and the light decreases evenly towards the
// opposite side.
void shade(ImageView<std::uint8_t> window, double most, Random& random) {
  const Rotation towards = rotation_by(random.real(-kPi, kPi));
  const double lost = random.real(0, most);
  const double span = std::abs(towards.cos) + std::abs(towards.sin);
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      const double far = along(towards, window.size(), x, y) / span;
      window.row(y)[x] = to_byte(window.row(y)[x] * (1 - lost * (0.5 - far)));
    }
  }
}

// C libraries compute powers that differ in the last bit, but the rounded bytes of this table are the same
// everywhere.
std::array<std::uint8_t, 256> gamma_table(double exponent) {
  std::array<std::uint8_t, 256> table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = to_byte(255 * std::pow(static_cast<double>(i) / 255, exponent));
  return table;
}

}  // namespace

void check_jitter(const Jitter& jitter, Size window) {
  check("number", jitter.copies, 1000);
  check("roll", jitter.roll, 180);
  check("scale", jitter.scale, 0.9);
  check("shift", jitter.shift, 1);
  check("blur", jitter.blur, std::min({window.width, window.height, 16}));
  check("gamma", jitter.gamma, 10);
  check("gradient", jitter.gradient, 2);
  check("shade", jitter.shade, 1);
  check("noise", jitter.noise, 1);
}

Affine draw_move(const Jitter& jitter, Size window, Random& random) {
  const Rotation rotation = rotation_by(random.real(-jitter.roll, jitter.roll) * (kPi / 180));
  const double scale = 1 + random.real(-jitter.scale, jitter.scale);
  const double x = window.width / 2.0, y = window.height / 2.0;
  Affine move{scale * rotation.cos, -scale * rotation.sin, 0, scale * rotation.sin, scale * rotation.cos, 0};
  const Point middle = move.at(x, y);
  move.x0 = x - middle.x + random.real(-jitter.shift, jitter.shift) * window.width;
  move.y0 = y - middle.y + random.real(-jitter.shift, jitter.shift) * window.height;
  return move;
}

void change_light(const Jitter& jitter, ImageView<std::uint8_t> window, Random& random) {
  if (jitter.blur > 0) blur(window, random.real(0, jitter.blur));
  if (jitter.gamma > 0) {
    const double strength = random.real(-jitter.gamma, jitter.gamma);
    const auto table = gamma_table(strength < 0 ? 1 / (1 - strength) : 1 + strength);
    for (int y = 0; y < window.height; ++y) {
      for (int x = 0; x < window.width; ++x) window.row(y)[x] = table[window.row(y)[x]];
    }
  }
  if (jitter.shade > 0) shade(window, jitter.shade, random);
  if (jitter.gradient <= 0 && jitter.noise <= 0) return;
  const Rotation towards = rotation_by(random.real(-kPi, kPi));
  const double light = random.real(0, jitter.gradient) * 255;
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      const double noise = jitter.noise > 0 ? random.bell() * jitter.noise * 255 : 0;
      window.row(y)[x] = to_byte(window.row(y)[x] + light * along(towards, window.size(), x, y) + noise);
    }
  }
}

void sample_jittered(GrayView picture, const Affine& place, const Jitter& jitter, std::uint64_t seed,
                     std::uint64_t positive, std::uint64_t copy, ImageView<std::uint8_t> window) {
  Random random(seed, positive, copy);
  const Affine move = draw_move(jitter, window.size(), random);
  sample_affine(picture, compose(place, move), window);
  change_light(jitter, window, random);
}

}  // namespace winnow
