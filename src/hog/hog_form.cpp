#include "hog/hog_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace winnow {
namespace {

// The weights of pixels along one side of a block, for each cell: [cell][pixel]. A weight is a triangle
// around the cell's middle times a Gaussian around the block's middle.
std::vector<float> cell_weights(int block, int cell, double sigma) {
  const int cells = block / cell;
  std::vector<float> weights(static_cast<std::size_t>(cells) * static_cast<std::size_t>(block));
  for (int i = 0; i < block; ++i) {
    const double far = i - block * 0.5, gauss = std::exp(-far * far / (2 * sigma * sigma));
    const double at = (i + 0.5) / cell - 0.5;
    for (int c = 0; c < cells; ++c) {
      const double triangle = std::max(0.0, 1 - std::abs(at - c));
      weights[static_cast<std::size_t>(c) * block + i] = static_cast<float>(gauss * triangle);
    }
  }
  return weights;
}

// Chooses the largest possible numbers of fraction bits for weights and for sums. Every weight must fit 16
// bits. The sum of a block and the sum of a window must fit 32 bits.
void choose_bits(const HogSvmModel& model, HogForm& form) {
  const auto values = static_cast<std::size_t>(model.shape.block_values());
  double largest = 0, longest = 0, window = 0;
  for (std::size_t first = 0; first < model.weights.size(); first += values) {
    double squares = 0;
    for (std::size_t i = first; i < first + values; ++i) {
      const double weight = static_cast<double>(model.weights[i]);
      largest = std::max(largest, std::abs(weight));
      squares += weight * weight;
    }
    longest = std::max(longest, std::sqrt(squares));
    window += std::sqrt(squares);
  }
  // Rounding adds at most half a unit to each value and weight; hence the margin of 2 %.
  const auto fits = [](double length, int bits) { return std::ldexp(length, bits) * 1.02 < 2147483648.0; };
  form.weight_bits = 16;
  while (std::ldexp(largest, form.weight_bits) > 32766 || !fits(longest, kHogValueBits + form.weight_bits))
    --form.weight_bits;
  const int bits = kHogValueBits + form.weight_bits;
  while (!fits(window, bits - form.shift)) ++form.shift;
  form.score_bits = bits - form.shift;
}

}  // namespace

HogForm make_hog_form(const HogSvmModel& model) {
  HogForm form;
  form.shape = model.shape;
  const HogShape& shape = form.shape;
  for (int i = 0; i < 256; ++i)
    form.pixel[i] = shape.gamma ? std::sqrt(static_cast<float>(i)) : static_cast<float>(i);
  form.bins_per_degree = static_cast<float>(shape.bins / (shape.directed ? 360.0 : 180.0));
  const double sigma = shape.sigma > 0 ? shape.sigma : (shape.block.width + shape.block.height) / 8.0;
  form.across = cell_weights(shape.block.width, shape.cell.width, sigma);
  form.down = cell_weights(shape.block.height, shape.cell.height, sigma);
  form.length_offset = static_cast<float>(shape.block_values()) * 0.1f;
  form.clip = static_cast<float>(shape.clip);
  choose_bits(model, form);
  form.weights.reserve(model.weights.size());
  for (const float weight : model.weights)
    form.weights.push_back(
        static_cast<std::int16_t>(std::lrint(std::ldexp(static_cast<double>(weight), form.weight_bits))));
  form.bias = model.bias;
  return form;
}

double HogForm::score(std::int32_t whole) const {
  return std::ldexp(static_cast<double>(whole), -score_bits) + bias;
}

std::int64_t HogForm::min_sum(double min_score) const {
  // `at` may be off, because `min_score - bias` is rounded. So the loops below try sums on both sides of
  // `at`.
  constexpr double kFar = 1e10;
  const double at = std::ceil(std::ldexp(min_score - bias, score_bits));
  if (!(at > -kFar)) return std::numeric_limits<std::int32_t>::min();
  if (at > kFar) return std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  auto whole = static_cast<std::int64_t>(at);
  const auto passes = [&](std::int64_t sum) {
    return std::ldexp(static_cast<double>(sum), -score_bits) + bias >= min_score;
  };
  while (passes(whole - 1)) --whole;
  while (!passes(whole)) ++whole;
  return std::clamp(whole, std::int64_t{std::numeric_limits<std::int32_t>::min()},
                    std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1);
}

}  // namespace winnow
