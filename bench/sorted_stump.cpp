#include "sorted_stump.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::uint16_t kRises = 1 << 15, kSample = kRises - 1;

// Maps floats to integers that sort in the same order. 0 and -0 are equal responses.
std::uint32_t ordered_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.f : value);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

}  // namespace

void sort_samples(std::span<const float> responses, std::vector<std::uint64_t>& scratch, SampleOrder& order) {
  if (responses.size() > kMostSortedSamples) throw std::runtime_error("too many samples to sort");
  scratch.resize(responses.size());
  for (std::size_t i = 0; i < responses.size(); ++i)
    scratch[i] = std::uint64_t{ordered_bits(responses[i])} << 32 | i;
  std::sort(scratch.begin(), scratch.end());
  order.resize(responses.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool rises = i > 0 && scratch[i] >> 32 != scratch[i - 1] >> 32;
    order[i] = static_cast<std::uint16_t>((scratch[i] & kSample) | (rises ? kRises : 0));
  }
}

SignedWeights::SignedWeights(std::span<const std::uint32_t> weights, std::size_t positives) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto weight = static_cast<std::int32_t>(weights[i]);
    of.push_back(i < positives ? weight : -weight);
    (i < positives ? positive : negative) += weight;
  }
}

SortedStump best_stump(std::span<const std::uint16_t> order, const SignedWeights& weights) {
  // The weight of positives below the threshold, minus the weight of negatives below it, decides the error of
  // both parities.
  std::int32_t below = 0, least = 0, most = 0;
  std::size_t at_least = 0, at_most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if ((order[i] & kRises) != 0) {
      if (below < least) least = below, at_least = i;
      if (below > most) most = below, at_most = i;
    }
    below += weights.of[order[i] & kSample];
  }
  const SortedStump high{weights.negative + least, at_least, false},
      low{weights.positive - most, at_most, true};
  if (high.error != low.error) return high.error < low.error ? high : low;
  return at_least <= at_most ? high : low;
}

Stump with_threshold(const SortedStump& stump, std::span<const std::uint16_t> order,
                     std::span<const float> responses) {
  Stump result;
  result.low_is_positive = stump.low_is_positive;
  if (stump.first > 0) result.threshold = responses[order[stump.first] & kSample];
  return result;
}

std::int64_t stump_error(const Stump& stump, std::span<const float> responses,
                         std::span<const std::uint32_t> weights, std::size_t positives) {
  std::int64_t error = 0;
  for (std::size_t i = 0; i < responses.size(); ++i)
    if (stump.takes(responses[i]) != (i < positives)) error += weights[i];
  return error;
}

}  // namespace bench
