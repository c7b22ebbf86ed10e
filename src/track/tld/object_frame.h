// Prepares a frame for the search of an object: a smaller level of the frame, that level blurred, and sums.
//
// In:     a grey frame with pixels, and how often it is halved first; or a level that is halved already.
// Out:    the halved level, its blurred copy, and how much the pixels of a window spread.
// Exact:  whole numbers. A window has at most `kMostWindowArea` pixels.
// Memory: owns level, copy and sums, and uses their memory again; not what it shows, nor a level that was
//         halved already: that lives as long as its owner says.
// Thread: one thread at a time; reading is free.
//
// Pixel (x, y) of level n lies at (2^n x, 2^n y) of the frame, so `to_level` moves a box by a little, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/box.h>
#include <winnow/image.h>

#include "scale/gaussian/gaussian_pyramid.h"
#include "track/tld/object_steps.h"
#include "track/tld/sift/spread_lanes.h"
#include "track/tld/sift/spread_rule.h"

namespace winnow {

class ObjectFrame {
 public:
  // A level that was made elsewhere, in memory of the host that lives until the next frame.
  struct Shown {
    int halvings = 0;
    GrayView level, blurred;
  };

  ObjectFrame() = default;
  ObjectFrame(ObjectFrame&&) = default;
  ObjectFrame& operator=(ObjectFrame&&) = default;
  ObjectFrame(const ObjectFrame&) = delete;  // a copy would show what the original owns
  ObjectFrame& operator=(const ObjectFrame&) = delete;

  void make(GrayView frame, int halvings, const ObjectSteps& steps);
  // Makes the copy and the sums of a level of a frame that is halved already.
  void make_of(GrayView level, int halvings, const ObjectSteps& steps);
  // Shows a level that was made elsewhere. There are no sums then: `spread` must not be called.
  void show(const Shown& shown) { shown_ = shown; }

  int halvings() const { return shown_.halvings; }
  GrayView level() const { return shown_.level; }
  GrayView blurred() const { return shown_.blurred; }

  RealBox to_level(const RealBox& box) const;
  RealBox to_frame(const RealBox& box) const;

  // n times the sum of squares, less the square of the sum: the variance of the n pixels of a window inside
  // of the level, times n^2.
  std::uint64_t spread(const Box& window) const {
    const std::ptrdiff_t top = window.y * sums_pitch_ + window.x, bottom = top + window.height * sums_pitch_;
    // The planes are right modulo 2^32.
    const auto sum_of = [&](const std::uint32_t* plane) {
      return plane[bottom + window.width] - plane[bottom] - plane[top + window.width] + plane[top];
    };
    return spread_of(static_cast<std::uint32_t>(window.width * window.height), sum_of(sums_.data()),
                     sum_of(squares_.data()));
  }

  // The rows of the sums for windows of this height that begin in row `y` of the level, from column `x` on.
  SpreadRows spread_rows(int x, int y, int height) const {
    const std::ptrdiff_t top = y * sums_pitch_ + x, bottom = top + height * sums_pitch_;
    return {sums_.data() + top, sums_.data() + bottom, squares_.data() + top, squares_.data() + bottom};
  }

 private:
  void blur();

  Shown shown_;
  GaussianPyramid pyramid_;
  std::vector<std::uint8_t> blurred_;
  std::vector<std::uint16_t> rows_;
  std::vector<std::uint32_t> sums_, squares_;
  std::ptrdiff_t sums_pitch_ = 0;  // in values
};

}  // namespace winnow
