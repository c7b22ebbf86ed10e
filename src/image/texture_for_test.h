// Makes grey and coloured pictures for tests from a seed, and lists the pixels of a picture.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "base/random.h"

namespace winnow::sample {

// Slanted ramps of brightness with some noise. Each seed gives another picture.
inline GrayImage texture(int width, int height, std::uint64_t seed = 1) {
  winnow::Random random(seed);
  GrayImage image(width, height);
  const int across = random.below(5) + 1, down = random.below(5) + 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>((x * across + y * down) % 200 + random.below(40));
  }
  return image;
}

// Like `texture`, in colour: the channels differ.
inline RgbImage colored(Size size, std::uint64_t seed) {
  winnow::Random random(seed);
  RgbImage image(size.width, size.height);
  const GrayImage light = texture(size.width, size.height, seed);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const int grey = light.row(y)[x];
      const auto near = [&](int spread) {
        return static_cast<std::uint8_t>(std::clamp(grey + random.below(2 * spread + 1) - spread, 0, 255));
      };
      image.row(y)[x] = {near(40), near(3), near(90)};
    }
  }
  return image;
}

inline std::vector<std::uint8_t> pixels(GrayView view) {
  std::vector<std::uint8_t> all;
  for (int y = 0; y < view.height; ++y) all.insert(all.end(), view.row(y), view.row(y) + view.width);
  return all;
}

// Red, green and blue of each pixel.
inline std::vector<std::uint8_t> pixels(RgbView view) {
  std::vector<std::uint8_t> all;
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) {
      const Rgb pixel = view.row(y)[x];
      all.insert(all.end(), {pixel.r, pixel.g, pixel.b});
    }
  }
  return all;
}

}  // namespace winnow::sample
