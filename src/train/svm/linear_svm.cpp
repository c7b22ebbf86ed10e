#include "train/svm/linear_svm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace winnow {
namespace {

constexpr std::uint64_t kForRows = 0x726f7773;
constexpr std::size_t kLanes = 16;  // sums of a row that are computed side by side
constexpr double kUnit = 1.0 / 32768;

void add_row(const std::int16_t* row, float factor, std::vector<float>& weights) {
  const std::size_t count = weights.size();
  float* const to = weights.data();
  for (std::size_t i = 0; i < count; ++i) to[i] += factor * static_cast<float>(row[i]);
}

}  // namespace

double row_score(const std::int16_t* row, std::span<const float> weights) {
  float sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= weights.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] += weights[i + k] * static_cast<float>(row[i + k]);
  }
  double sum = 0;
  for (const float lane : sums) sum += static_cast<double>(lane);
  for (; i < weights.size(); ++i) sum += static_cast<double>(weights[i]) * row[i];
  return sum * kUnit;
}

SvmSolution solve_svm(const SvmRows& rows, const SvmRules& rules, const std::function<bool(int)>& go_on) {
  const std::size_t count = rows.count();
  SvmSolution result;
  result.weights.assign(rows.length, 0);
  double bias = 0;
  std::vector<double> multipliers(count, 0), squares(count);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const auto cost_of = [&](std::size_t i) { return i < rows.positives ? rules.positive_cost : rules.cost; };
  // The slope that a squared error adds to the gradient along the row's multiplier.
  const auto slope_of = [&](std::size_t i) { return rules.squared ? 0.5 / cost_of(i) : 0.0; };
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < rows.length; ++k) {
      const double value = rows.row(i)[k] * kUnit;
      sum += value * value;
    }
    squares[i] = sum + 1 + slope_of(i);  // + 1 for the bias
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t active = count;
  double highest_before = kFar, lowest_before = -kFar;
  while (result.passes < rules.most_passes) {
    for (std::size_t i = active; i > 1; --i)
      std::swap(order[i - 1], order[hash(rules.seed, kForRows, result.passes, i) % i]);
    double highest = -kFar, lowest = kFar;
    for (std::size_t at = 0; at < active; ++at) {
      const std::size_t i = order[at];
      const double label = i < rows.positives ? 1 : -1;
      const double most = rules.squared ? kFar : cost_of(i);
      double& multiplier = multipliers[i];
      const double gradient =
          label * (row_score(rows.row(i), result.weights) + bias) - 1 + slope_of(i) * multiplier;
      const bool at_zero = multiplier == 0, at_most = multiplier == most;
      if ((at_zero && gradient > highest_before) || (at_most && gradient < lowest_before)) {
        --active;
        std::swap(order[at], order[active]);
        --at;
        continue;
      }
      const double inner = at_zero ? std::min(gradient, 0.0) : at_most ? std::max(gradient, 0.0) : gradient;
      highest = std::max(highest, inner);
      lowest = std::min(lowest, inner);
      if (std::abs(inner) < 1e-12) continue;
      const double before = multiplier;
      multiplier = std::clamp(before - gradient / squares[i], 0.0, most);
      const double change = (multiplier - before) * label;
      add_row(rows.row(i), static_cast<float>(change * kUnit), result.weights);
      bias += change;
    }
    ++result.passes;
    const bool near = highest - lowest <= rules.tolerance;
    if (near && active == count) {
      result.done = true;
      break;
    }
    if (near) {
      active = count;
      highest_before = kFar, lowest_before = -kFar;
    } else {
      highest_before = highest > 0 ? highest : kFar;
      lowest_before = lowest < 0 ? lowest : -kFar;
    }
    if (!go_on(result.passes)) break;
  }
  // Computes the weights again from the multipliers, because the weights so far were rounded at each step.
  std::vector<double> sums(rows.length, 0);
  result.bias = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (multipliers[i] == 0) continue;
    const double factor = i < rows.positives ? multipliers[i] : -multipliers[i];
    for (std::size_t k = 0; k < rows.length; ++k) sums[k] += factor * rows.row(i)[k];
    result.bias += factor;
  }
  for (std::size_t k = 0; k < rows.length; ++k) result.weights[k] = static_cast<float>(sums[k] * kUnit);
  return result;
}

}  // namespace winnow
