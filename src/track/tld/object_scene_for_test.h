// Makes frames for tests of following: a textured objects before a textured wall.
//
// In:     the size of frames; where objects are, and which looks they have.
// Out:    grey frames.
// Memory: frames belong to the caller.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <winnow/box.h>
#include <winnow/image.h>

#include "base/random.h"

namespace winnow {

struct GrayFrame {
  Size size;
  std::vector<std::uint8_t> pixels;

  explicit GrayFrame(Size sides, std::uint8_t value = 0)
      : size(sides),
        pixels(static_cast<std::size_t>(sides.width) * static_cast<std::size_t>(sides.height), value) {}
  std::uint8_t& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
                  static_cast<std::size_t>(x)];
  }
  GrayView view() const { return {pixels.data(), size.width, size.height, size.width}; }
};

// A smooth random texture: values on a lattice of `cell` pixels, with straight lines between them.
class Texture {
 public:
  Texture(std::uint64_t seed, double cell) : seed_(seed), cell_(cell) {}
  double at(double x, double y) const {
    const double u = x / cell_, v = y / cell_, left = std::floor(u), top = std::floor(v);
    const auto knot = [&](double i, double j) {
      return static_cast<double>(hash(seed_, static_cast<int>(i) + 1000, static_cast<int>(j) + 1000) & 255);
    };
    const double a = u - left, b = v - top;
    return (knot(left, top) * (1 - a) + knot(left + 1, top) * a) * (1 - b) +
           (knot(left, top + 1) * (1 - a) + knot(left + 1, top + 1) * a) * b;
  }

 private:
  std::uint64_t seed_;
  double cell_;
};

struct Shown {
  RealBox box;
  std::uint64_t look = 1;
  double next = 0;  // how much of the next look shows, from 0 to 1
};

// A look grows with its box.
inline GrayFrame make_scene(Size size, const std::vector<Shown>& objects) {
  const Texture wall(100, 9);
  GrayFrame frame(size);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      double value = 60 + wall.at(x, y) / 4;
      for (const Shown& object : objects) {
        const RealBox& box = object.box;
        const double u = (x + 0.5 - box.x) / box.width, v = (y + 0.5 - box.y) / box.height;
        if (u >= 0 && u < 1 && v >= 0 && v < 1) {
          const auto shown = [&](std::uint64_t look) { return Texture(200 + look, 0.16).at(u, v); };
          value = shown(object.look) * (1 - object.next) + shown(object.look + 1) * object.next;
        }
      }
      frame.at(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
    }
  }
  return frame;
}

// A small object before a block that passes behind it. In frame 3 the camera turns: all moves left at once, and
// the block goes on to the right, so that the flow of the object is torn.
inline constexpr Size kShakenFrame{320, 240};
inline RealBox shaken_at(int frame) { return {150.0 + 2 * frame - (frame < 3 ? 0 : 28), 90, 24, 36}; }
inline GrayFrame shaken_scene(int frame) {
  const Texture wall(300, 7), block(301, 5), look(302, 0.16);
  const double turned = frame < 3 ? 0 : 28, left = 60 + 12 * frame;
  const RealBox object = shaken_at(frame);
  GrayFrame made(kShakenFrame);
  for (int y = 0; y < kShakenFrame.height; ++y) {
    for (int x = 0; x < kShakenFrame.width; ++x) {
      const double u = (x + 0.5 - object.x) / object.width, v = (y + 0.5 - object.y) / object.height;
      double value = 80 + wall.at(x + turned, y) / 3;
      if (x >= left && x < left + 150 && y >= 60 && y < 150) value = block.at(x - left, y);
      if (u >= 0 && u < 1 && v >= 0 && v < 1) value = look.at(u, v);
      made.at(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
    }
  }
  return made;
}

// An object before the wall, with noise of up to 4 grey levels on all pixels.
inline GrayFrame noisy_scene(Size size, const RealBox& object, std::uint64_t seed) {
  GrayFrame frame = make_scene(size, {{object}});
  Random random(seed);
  for (std::uint8_t& pixel : frame.pixels)
    pixel = static_cast<std::uint8_t>(std::clamp(pixel + random.below(9) - 4, 0, 255));
  return frame;
}

}  // namespace winnow
