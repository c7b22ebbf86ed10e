// Makes random numbers and pictures from a seed, for tests.
//
// In:     a seed, or a `Random`, which each call advances.
// Out:    numbers and grey pictures.
// Exact:  the same sequence on every machine.
// Memory: pictures are the caller's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <winnow/image.h>

namespace winnow::sample {

// SplitMix64: every seed is good. Standard distributions differ between libraries, so none is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }  // both ends included
  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) / 9007199254740992.0;
  }
  bool chance(double p) { return real(0, 1) < p; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::uint64_t state_;
};

// One of seven kinds: random pixels, a gradient, faint noise, black, rectangles partly with noise, plain
// rectangles, rectangles of 0 or 255.
inline GrayImage random_picture(Random& random, Size size) {
  GrayImage picture(size.width, size.height);
  const int kind = random.below(7);
  const int base = random.below(256), dx = random.between(-4, 4), dy = random.between(-4, 4);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      int value = 0;
      if (kind == 0) value = random.below(256);
      if (kind == 1) value = base + dx * x + dy * y;
      if (kind == 2) value = std::clamp(base + random.between(-3, 3), 0, 255);
      picture.row(y)[x] = static_cast<std::uint8_t>(value);
    }
  }
  if (kind <= 3) return picture;
  const int rects = 10 + size.width * size.height / 200;
  for (int i = 0; i < rects; ++i) {
    const Box rect = clip({random.between(-10, size.width), random.between(-10, size.height),
                           random.between(1, 30), random.between(1, 30)},
                          size);
    const int gray = kind == 6 ? 255 * random.below(2) : random.below(256);
    const int noise = kind == 4 && random.chance(0.7) ? random.between(1, 60) : 0;
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
      for (int x = rect.x; x < rect.x + rect.width; ++x) {
        picture.row(y)[x] =
            static_cast<std::uint8_t>(std::clamp(gray + random.between(-noise, noise), 0, 255));
      }
    }
  }
  return picture;
}

}  // namespace winnow::sample
