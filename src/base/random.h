// Gives random numbers that depend on a seed and on their purpose, and on nothing else.
//
// In:     a seed, and numbers that name the purpose, such as a sample's number and its copy's number.
// Out:    a sequence of numbers. Each is a hash of the seed, the purpose and the number's place in the
//         sequence.
// Exact:  neither the order of the work nor the number of threads changes a number.
#pragma once

#include <cstdint>

namespace winnow {

// SplitMix64's last steps: every input bit changes half of the output bits on average.
constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

template <class... Index>
constexpr std::uint64_t hash(std::uint64_t seed, Index... index) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15u;
  std::uint64_t h = mix_bits(seed + kStep);
  ((h = mix_bits(h * 3 + static_cast<std::uint64_t>(index) + kStep)), ...);
  return h;
}

// The sequence of numbers for one purpose.
class Random {
 public:
  template <class... Index>
  explicit constexpr Random(std::uint64_t seed, Index... index) : key_(hash(seed, index...)) {}

  constexpr std::uint64_t bits() { return hash(key_, count_++); }
  // A number x with low <= x < high, in steps of 2^-53 of the range.
  constexpr double real(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  // A whole number x with 0 <= x < n.
  constexpr int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  // An approximately normal number of standard deviation 1: the sum of twelve uniform numbers. An exactly
  // normal number needs a logarithm, which machines round differently.
  constexpr double bell() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += real(0, 1);
    return sum;
  }

 private:
  std::uint64_t key_, count_ = 0;
};

}  // namespace winnow
