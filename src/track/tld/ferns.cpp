#include "track/tld/ferns.h"

#include <algorithm>
#include <cstddef>

#include "base/shuffle.h"

namespace winnow {

FernPairs make_fern_pairs(std::uint64_t seed) {
  FernPairs pairs;
  Random random(seed);
  const auto fraction = [&] { return static_cast<std::uint16_t>(random.below(1 << 16)); };
  for (FernPair& pair : pairs) {
    pair.x[0] = pair.x[1] = fraction();
    pair.y[0] = pair.y[1] = fraction();
    (random.below(2) == 0 ? pair.x : pair.y)[1] = fraction();
  }
  return pairs;
}

FernOffsets fern_offsets(const FernPairs& pairs, Size window, std::int32_t pitch) {
  FernOffsets offsets;
  const auto at = [](std::uint16_t fraction, int side) {
    return static_cast<std::int32_t>((std::int64_t{fraction} * (side - 1) + (1 << 15)) >> 16);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t end = 0; end < 2; ++end)
      offsets[i][end] = at(pairs[i].y[end], window.height) * pitch + at(pairs[i].x[end], window.width);
  }
  return offsets;
}

Ferns::Ferns() : seen_(std::size_t{kFerns} << kFernBits), values_(seen_.size()) {}

void Ferns::learn(std::span<const FernPattern> object, std::span<const FernPattern> others,
                  std::int32_t enough, Random random) {
  std::vector<SummedPattern> summed;
  summed.reserve(others.size());
  for (const FernPattern& pattern : others) summed.push_back({&pattern, sum(pattern)});
  learn_summed(object, summed, enough, random);
}

// Learning only raises values of the object's patterns. So a pattern whose sum is too small can count later
// only if it shares values with them, and would be large enough if all these were as large as can be.
std::vector<bool> Ferns::may_count(std::span<const FernPattern> object, std::span<const SummedPattern> others,
                                   bool object_counts) const {
  std::vector<bool> may(object.size() + others.size());
  std::fill_n(may.begin(), object.size(), true);
  std::vector<std::uint64_t> rises(values_.size() / 64);  // a bit for each value: 10 KB stay in a cache
  for (const FernPattern& pattern : object) {
    for (std::size_t fern = 0; fern < kFerns; ++fern) {
      const std::size_t at = place(fern, pattern);
      rises[at / 64] |= std::uint64_t{1} << (at % 64);
    }
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    std::int32_t most = others[i].sum;
    if (object_counts) {
      std::uint64_t shared = 0;  // without branches: which values are shared is random
      for (std::size_t fern = 0; fern < kFerns; ++fern) {
        const std::size_t at = place(fern, *others[i].pattern);
        shared += rises[at / 64] >> (at % 64) & 1;
      }
      most += static_cast<std::int32_t>(shared) * kFernOne;
    }
    if (most >= kLeastOther) may[object.size() + i] = true;
  }
  return may;
}

void Ferns::learn_summed(std::span<const FernPattern> object, std::span<const SummedPattern> others,
                         std::int32_t enough, Random random) {
  std::vector<std::uint32_t> order(object.size() + others.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  shuffle(order, random);
  bool object_counts = false;
  std::vector<bool> may = may_count(object, others, false);
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    for (const std::uint32_t i : order) {
      if (!may[i]) continue;
      const bool is_object = i < object.size();
      const FernPattern& pattern = is_object ? object[i] : *others[i - object.size()].pattern;
      const std::int32_t now = sum(pattern);
      if (is_object ? now > enough : now < kLeastOther) continue;
      count(pattern, is_object);
      if (is_object && !object_counts) {
        object_counts = true;
        may = may_count(object, others, true);
      }
    }
  }
}

void Ferns::count(const FernPattern& pattern, bool object) {
  for (std::size_t fern = 0; fern < kFerns; ++fern) {
    const std::size_t at = place(fern, pattern);
    Seen seen = seen_[at];
    std::uint32_t& count = object ? seen.object : seen.others;
    count += count < kMostSeen ? 1 : 0;
    set_seen(at, seen);
  }
}

void Ferns::set_seen(std::size_t at, Seen seen) {
  seen_[at] = seen;
  const std::uint64_t all = std::uint64_t{seen.object} + seen.others;
  values_[at] = all == 0 ? 0 : static_cast<std::int32_t>(std::uint64_t{seen.object} * kFernOne / all);
}

}  // namespace winnow
