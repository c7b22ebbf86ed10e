// Judges windows by random ferns: pairs of pixels of which one is brighter, and how often each pattern of
// such bits was seen on the object.
//
// In:     a blurred picture, windows of any size, and patterns that are known to be of the object or not.
// Out:    for each window one pattern a fern, and the sum of the ferns' values: how much it looks like the
//         object.
// Exact:  whole numbers. A value is a fraction in steps of 2^-15, rounded down.
// Memory: owns the counts: ten tables of 8,192 entries.
// Thread: one thread at a time learns; reading is free.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "base/random.h"

namespace winnow {

inline constexpr int kFerns = 10, kFernBits = 13, kFernPairs = kFerns * kFernBits;
inline constexpr std::int32_t kFernOne = 1 << 15;  // the value of a pattern that was seen on the object alone

// Two points of a window, in parts of 2^16 of its sides less one pixel. They lie in one row or in one column.
struct FernPair {
  std::uint16_t x[2], y[2];
};
using FernPairs = std::array<FernPair, kFernPairs>;
FernPairs make_fern_pairs(std::uint64_t seed);

// The distance of each point from the first pixel of a window of this size, in a picture with this row pitch.
using FernOffsets = std::array<std::array<std::int32_t, 2>, kFernPairs>;
FernOffsets fern_offsets(const FernPairs& pairs, Size window, std::int32_t pitch);

// The pattern of each fern. The first pair gives the highest bit.
using FernPattern = std::array<std::uint16_t, kFerns>;
// `value_of(pair, end)`: the grey value of a point. A bit is set if the first point is brighter.
template <class ValueOf>
FernPattern fern_pattern(const ValueOf& value_of) {
  FernPattern pattern{};
  for (std::size_t fern = 0, pair = 0; fern < kFerns; ++fern) {
    unsigned bits = 0;
    for (int bit = 0; bit < kFernBits; ++bit, ++pair)
      bits = bits << 1 | static_cast<unsigned>(value_of(pair, 0) > value_of(pair, 1));
    pattern[fern] = static_cast<std::uint16_t>(bits);
  }
  return pattern;
}
// `corner`: the first pixel of the window.
inline FernPattern fern_pattern(const std::uint8_t* corner, const FernOffsets& offsets) {
  return fern_pattern([&](std::size_t pair, std::size_t end) { return corner[offsets[pair][end]]; });
}

// A window that varies enough and is a little like the object: its pattern, and the sum of its values when it
// was searched.
struct LikelyWindow {
  std::int64_t window;
  std::int32_t sum;
  FernPattern pattern;
};

class Ferns {
 public:
  // How often a pattern was seen on the object, and on other things.
  struct Seen {
    std::uint32_t object = 0, others = 0;
  };
  // A count stays at this number.
  static constexpr std::uint32_t kMostSeen = 0x7FFFFFFF;

  Ferns();

  // The sum of the values of the ten patterns, from 0 to 10 * kFernOne.
  std::int32_t sum(const FernPattern& pattern) const {
    std::int32_t sum = 0;
    for (std::size_t fern = 0; fern < kFerns; ++fern) sum += values_[place(fern, pattern)];
    return sum;
  }
  // The values of all patterns: those of a fern lie together. None is above kFernOne.
  std::span<const std::uint16_t> values() const { return values_; }
  // Learns patterns in a random order, twice. A pattern of the object counts if its sum is at most `enough`;
  // a pattern of something else counts if its sum is at least half of the largest sum.
  void learn(std::span<const FernPattern> object, std::span<const FernPattern> others, std::int32_t enough,
             Random random);
  // The same for the patterns of windows whose sums are known. Passes over windows for which `is_other` is
  // false. Nearly all of a long list costs a look at its values: sums that are too small stay too small,
  // unless the object's patterns raise one of their values. `is_other` is asked of the rest alone.
  void learn_windows(std::span<const FernPattern> object, std::span<const LikelyWindow> others,
                     const std::function<bool(const LikelyWindow&)>& is_other, std::int32_t enough,
                     Random random);

  // The counts of all patterns: those of a fern lie together.
  std::span<const Seen> seen() const { return seen_; }
  // `at`: a place in `seen()`. Counts do not exceed `kMostSeen`.
  void set_seen(std::size_t at, Seen seen);

 private:
  class Raised;
  static constexpr std::int32_t kLeastOther = kFerns * kFernOne / 2;  // of a pattern of something else

  static std::size_t place(std::size_t fern, const FernPattern& pattern) {
    return (fern << kFernBits) + pattern[fern];
  }
  static std::uint16_t value_of(std::uint64_t object, std::uint64_t others) {
    const std::uint64_t all = object + others;
    return all == 0 ? 0 : static_cast<std::uint16_t>(object * kFernOne / all);
  }
  void count(const FernPattern& pattern, bool object);

  std::vector<Seen> seen_;
  std::vector<std::uint16_t> values_;  // the part of the object in what was seen, times kFernOne
};

}  // namespace winnow
