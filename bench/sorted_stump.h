// The exact search of a stump: sorts a feature's responses, adds up weights, and takes the best threshold and
// parity. Papers on Viola and Jones' training search in this way. Benches compare this search with a search
// by 256 bins.
//
// In:     the responses of all samples to a feature; the samples' weights, positives first.
// Out:    the stump with the least weighted error. Ties go to the lower threshold, then to the stump that
//         calls high responses positive.
// Exact:  weights are integers, so that errors are exact. Their sum must be below 2^31.
// Memory: the caller owns all lists. A kept order takes two bytes per sample.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bench {

// The samples in rising order of their responses. The highest bit of an item marks a response that is above
// the previous one. The other bits are the sample's number.
using SampleOrder = std::vector<std::uint16_t>;
inline constexpr std::size_t kMostSortedSamples = 1 << 15;
void sort_samples(std::span<const float> responses, std::vector<std::uint64_t>& scratch, SampleOrder& order);

// Weights for the search. The weights of negatives have a minus sign.
struct SignedWeights {
  std::vector<std::int32_t> of;
  std::int64_t positive = 0, negative = 0;  // sums of both classes, without signs

  SignedWeights(std::span<const std::uint32_t> weights, std::size_t positives);
};

// Samples from place `first` of the order on have responses at or above the threshold. The stump calls these
// samples positive, or the other samples if `low_is_positive`.
struct SortedStump {
  std::int64_t error = std::numeric_limits<std::int64_t>::max();
  std::size_t first = 0;
  bool low_is_positive = false;
};
SortedStump best_stump(std::span<const std::uint16_t> order, const SignedWeights& weights);

// A stump that is given by its threshold.
struct Stump {
  float threshold = -std::numeric_limits<float>::infinity();
  bool low_is_positive = false;

  bool takes(float response) const { return (response < threshold) == low_is_positive; }
};
Stump with_threshold(const SortedStump& stump, std::span<const std::uint16_t> order,
                     std::span<const float> responses);
// The weight of the samples that the stump assigns to the wrong class.
std::int64_t stump_error(const Stump& stump, std::span<const float> responses,
                         std::span<const std::uint32_t> weights, std::size_t positives);

}  // namespace bench
