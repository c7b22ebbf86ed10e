#include "tied_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "made_models.h"

namespace witness {
namespace {

using namespace winnow;

constexpr int kStumps = 24;

std::int32_t upright_sum(GrayView picture, const Box& box) {
  std::int32_t sum = 0;
  for (int y = box.y; y < box.y + box.height; ++y)
    for (int x = box.x; x < box.x + box.width; ++x) sum += picture.row(y)[x];
  return sum;
}

// Sum of the pixels above (x, y) in the triangle that opens upwards with 45 degrees to each side.
std::int32_t triangle(GrayView picture, int x, int y) {
  std::int32_t sum = 0;
  for (int v = 0; v < y; ++v)
    for (int u = std::max(0, x - (y - v)); u < std::min(picture.width, x + (y - v) - 1); ++u)
      sum += picture.row(v)[u];
  return sum;
}

std::int32_t tilted_sum(GrayView picture, const Box& b) {
  return triangle(picture, b.x, b.y) - triangle(picture, b.x - b.height, b.y + b.height) -
         triangle(picture, b.x + b.width, b.y + b.width) +
         triangle(picture, b.x + b.width - b.height, b.y + b.width + b.height);
}

// The feature's value times the norm of the window at (x, y), rounded to float after each operation.
float normed_value(GrayView picture, const HaarFeature& feature, Size window, int x, int y) {
  float terms[3] = {0, 0, 0};
  for (std::size_t r = 0; r < 3; ++r) {
    const HaarRect& rect = feature.rects[r];
    if (rect.weight == 0) continue;
    const Box box{rect.box.x + x, rect.box.y + y, rect.box.width, rect.box.height};
    terms[r] = rect.weight *
               static_cast<float>(feature.tilted ? tilted_sum(picture, box) : upright_sum(picture, box));
  }
  float value = terms[0] + terms[1];
  if (feature.rects[2].weight != 0) value = value + terms[2];
  double sum = 0, square = 0;
  for (int v = y + 1; v < y + window.height - 1; ++v)
    for (int u = x + 1; u < x + window.width - 1; ++u) {
      const double p = picture.row(v)[u];
      sum += p;
      square += p * p;
    }
  square = std::fmod(square, 4294967296.0);  // OpenCV keeps 32 bits of this sum
  const double area = static_cast<double>(window.width - 2) * (window.height - 2);
  const double spread = area * square - sum * sum;
  const float norm = spread > 0 ? static_cast<float>(1. / std::sqrt(spread)) : 1.f;
  return value * norm;
}

}  // namespace

GrayImage make_ties_picture(Size window) {
  GrayImage picture(window.width + 90, window.height + 70);
  const int low = window.width > 200 ? 170 : 0;  // bright, so that sums of large windows exceed 24 bits
  Random random(4711);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      picture.row(y)[x] = static_cast<std::uint8_t>(random.between(low, 255));
  return picture;
}

CascadeModel tied_model(Random random) {
  CascadeModel model;
  model.window = random.one_in(4) ? Size{random.between(280, 300), random.between(280, 300)}
                                  : Size{random.between(6, 30), random.between(6, 30)};
  const GrayImage picture = make_ties_picture(model.window);
  const auto add_stump = [&](float threshold, float left, float right) {
    const auto n = static_cast<std::int32_t>(model.trees.size());
    model.trees.push_back({n, 1, 2 * n});
    model.nodes.push_back({0, -1, n, threshold});
    model.leaves.insert(model.leaves.end(), {left, right});
  };
  // The first stage's sum is exactly OpenCV's limit, (float)threshold - 1e-5f, so every window just passes.
  // There are two stages because OpenCV's scores of one-stage cascades are unreliable.
  model.haar.push_back(random_haar(random, model.window));
  const float threshold = static_cast<float>(random.real() * 8 - 4), limit = threshold - 1e-5f;
  add_stump(0, limit, limit);
  model.stages.push_back({0, 1, threshold});
  for (int i = 0; i < kStumps; ++i) {
    const HaarFeature feature = random_haar(random, model.window);
    model.haar.push_back(feature);
    // Windows of the first level stand on even pixels.
    const int x = 2 * random.below(45), y = 2 * random.below(35);
    const float value = normed_value(picture.view(), feature, model.window, x, y);
    add_stump(random.one_in(2) ? value : std::nextafter(value, 1e30f), -std::ldexp(1.f, -i), 0);
  }
  model.stages.push_back({1, kStumps, -4});
  return model;
}

}  // namespace witness
