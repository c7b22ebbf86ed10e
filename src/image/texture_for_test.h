// Makes grey pictures for tests from a seed, and lists their pixels.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "base/random.h"

namespace winnow::sample {

// Smooth light with some grain. Each seed gives another picture.
inline GrayImage texture(int width, int height, std::uint64_t seed = 1) {
  Random random(seed);
  GrayImage image(width, height);
  const int across = random.below(5) + 1, down = random.below(5) + 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>((x * across + y * down) % 200 + random.below(40));
  }
  return image;
}

inline std::vector<std::uint8_t> pixels(GrayView view) {
  std::vector<std::uint8_t> all;
  for (int y = 0; y < view.height; ++y) all.insert(all.end(), view.row(y), view.row(y) + view.width);
  return all;
}

}  // namespace winnow::sample
