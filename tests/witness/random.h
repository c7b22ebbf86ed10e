// Gives random numbers that are the same on every machine and with every standard library.
//
// In:     a seed.
// Out:    numbers, in a sequence of splitmix64.
// Exact:  the same sequence everywhere, unlike the distributions of standard libraries. Seed, model and
//         picture therefore determine a case, and one command repeats the case.
// Memory: eight bytes of state; nothing is allocated.
// Thread: one thread at a time per `Random`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace witness {

inline std::uint64_t scramble(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t h = scramble(seed);
  for (const char c : text) h = scramble(h ^ static_cast<unsigned char>(c));
  return h;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(scramble(seed)) {}
  std::uint64_t next() { return scramble(state_ += 0x632be59bd9b4e019u); }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n < 1 ? 1 : n)); }
  int between(int low, int high) { return high <= low ? low : low + below(high - low + 1); }
  double real() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return std::data(list)[below(static_cast<int>(list.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace witness
