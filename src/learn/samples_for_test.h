// Makes packs for tests: positives with an object that is easy to draw, and negatives without it.
//
// In:     a window, numbers of positives and negatives, and a seed.
// Out:    a pack, the same for the same arguments.
#pragma once

#include <winnow/image.h>
#include <winnow/pack.h>

#include <algorithm>
#include <random>
#include <string>

namespace winnow::sample {

// Makes noise in cells of several sizes: structure at every scale, but no object.
inline GrayImage make_noise(Size size, unsigned seed) {
  std::mt19937 random(seed);
  GrayImage picture(size.width, size.height);
  for (const int cell : {32, 11, 4, 1}) {
    const int columns = size.width / cell + 1;
    std::vector<int> values(static_cast<std::size_t>(columns * (size.height / cell + 1)));
    for (int& value : values) value = static_cast<int>(random() % 64);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        picture.row(y)[x] = static_cast<std::uint8_t>(
            picture.row(y)[x] + values[static_cast<std::size_t>(y / cell * columns + x / cell)]);
      }
    }
  }
  return picture;
}

// Draws a dark ring with a bright middle over the pixels in `place`.
inline void draw_object(ImageView<std::uint8_t> picture, Box place, std::mt19937& random) {
  const double side = place.width, middle_x = place.x + side / 2, middle_y = place.y + side / 2;
  const int bright = 190 + static_cast<int>(random() % 50), dark = 20 + static_cast<int>(random() % 50);
  for (int y = std::max(place.y, 0); y < std::min(place.y + place.height, picture.height); ++y) {
    for (int x = std::max(place.x, 0); x < std::min(place.x + place.width, picture.width); ++x) {
      const double dx = (x + 0.5 - middle_x) / side, dy = (y + 0.5 - middle_y) / side, r2 = dx * dx + dy * dy;
      if (r2 > 0.45 * 0.45) continue;
      const int value = r2 < 0.22 * 0.22 ? bright : dark;
      picture.row(y)[x] = static_cast<std::uint8_t>(value + static_cast<int>(random() % 16));
    }
  }
}

inline Pack make_sample_pack(Size window, int positives, int negatives, unsigned seed,
                             Size negative_size = {160, 120}) {
  std::mt19937 random(seed);
  Pack pack;
  pack.window = window;
  for (int i = 0; i < positives; ++i) {
    GrayImage crop = make_noise(window, seed * 1000 + static_cast<unsigned>(i));
    // The object's size and place differ a little, as in crops that people make.
    const int side = window.width - static_cast<int>(random() % 3);
    draw_object(crop.view(), {static_cast<int>(random() % 3), static_cast<int>(random() % 3), side, side},
                random);
    pack.positives.insert(pack.positives.end(), crop.row(0), crop.row(0) + pack.positive_bytes());
    pack.names.push_back("positive " + std::to_string(i));
  }
  for (int i = 0; i < negatives; ++i) {
    const Size size{negative_size.width + i % 7, negative_size.height + i % 5};
    const GrayImage picture = make_noise(size, seed * 777 + static_cast<unsigned>(i));
    const std::string head =
        "P5\n" + std::to_string(size.width) + " " + std::to_string(size.height) + "\n255\n";
    Pack::Negative negative{"negative " + std::to_string(i), size, {}};
    const auto* from = reinterpret_cast<const std::byte*>(head.data());
    negative.file.assign(from, from + head.size());
    for (int y = 0; y < size.height; ++y) {
      const auto* row = reinterpret_cast<const std::byte*>(picture.row(y));
      negative.file.insert(negative.file.end(), row, row + size.width);
    }
    pack.negatives.push_back(std::move(negative));
  }
  return pack;
}

}  // namespace winnow::sample
