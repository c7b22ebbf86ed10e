// Adds up weights by bin, as learn/split.h declares; its opening comment holds here.
#include <cstring>

#include "learn/split.h"

namespace winnow {
namespace {

// Neighbouring samples often fall into the same bin. Additions to one sum must wait for each other, so
// samples are added to four lists of sums in turn.
void add_up(const std::uint8_t* bins, const std::uint32_t* weights, std::size_t count,
            std::uint32_t (&sums)[kBins]) {
  alignas(64) std::uint32_t tables[4][kBins] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, bins + i, sizeof(eight));
    for (int k = 0; k < 8; ++k)
      tables[k % 4][eight >> (8 * k) & 255] += weights[i + static_cast<std::size_t>(k)];
  }
  for (; i < count; ++i) tables[0][bins[i]] += weights[i];
  for (int b = 0; b < kBins; ++b) sums[b] = tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b];
}

}  // namespace

void weigh_bins_cpu(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                    std::size_t positives, BinWeights& sums) {
  add_up(bins.data(), weights.data(), positives, sums.positive);
  add_up(bins.data() + positives, weights.data() + positives, bins.size() - positives, sums.negative);
}

}  // namespace winnow
