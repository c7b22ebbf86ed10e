// Makes videos in which dark squares walk over bright ground and cannot be found in some frames.
//
// In:     where the squares walk, and how and when they hide.
// Out:    frames, and the places of the squares.
// Exact:  same frames for the same arguments.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "session/scene_for_test.h"

namespace winnow::sample {

enum class Hiding { kNoise, kDark, kGround };

struct SquareWalk {
  double x = 40, y = 60, dx = 2, dy = 0.5;
  int hidden_from = 0, hidden_to = 0;  // frames in which the square cannot be found
  Hiding hiding = Hiding::kNoise;
  int side = 48;

  Box box(int frame) const {
    return {static_cast<int>(std::lround(x + dx * frame)), static_cast<int>(std::lround(y + dy * frame)),
            side, side};
  }
  bool hides(int frame) const { return frame >= hidden_from && frame < hidden_to; }
};

inline GrayImage walk_frame(Size size, const std::vector<SquareWalk>& walks, int number) {
  std::vector<Box> squares;
  bool dark = false;
  for (const SquareWalk& walk : walks) {
    dark = dark || (walk.hides(number) && walk.hiding == Hiding::kDark);
    if (!walk.hides(number) || walk.hiding == Hiding::kDark) squares.push_back(walk.box(number));
  }
  GrayImage frame = make_scene(size, squares);
  std::uint32_t noise = 1 + static_cast<std::uint32_t>(number);
  for (const SquareWalk& walk : walks) {
    if (!walk.hides(number) || walk.hiding != Hiding::kNoise) continue;
    const Box box = clip(walk.box(number), size);
    for (int y = box.y; y < box.y + box.height; ++y)
      for (int x = box.x; x < box.x + box.width; ++x) {
        noise = noise * 1664525U + 1013904223U;
        frame.row(y)[x] =
            static_cast<std::uint8_t>(145 + (noise >> 24) * 110 / 255);  // on average as light as the ground
      }
  }
  for (int y = 0; dark && y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) frame.row(y)[x] = static_cast<std::uint8_t>(frame.row(y)[x] / 80);
  return frame;
}

}  // namespace winnow::sample
