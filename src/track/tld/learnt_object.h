// What a tracker knows of an object, and the windows in which it searches for it.
//
// In:     the size of the object in the frame in which it was marked, and the size of frames.
// Out:    ferns, templates and thresholds; a grid of windows.
// Exact:  whole numbers and doubles in a fixed order; the same for the same seed.
// Memory: an object takes about a megabyte; a grid about 1 KB for each of up to 21 sizes of windows.
// Thread: plain data.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/box.h>

#include "scale/plan.h"
#include "track/tld/box_grid.h"
#include "track/tld/ferns.h"
#include "track/tld/templates.h"

namespace winnow {

struct LearntObject {
  explicit LearntObject(std::uint64_t number) : seed(number), pairs(make_fern_pairs(number)) {}

  std::uint64_t seed;
  int halvings = 0;  // the frame is halved so often before the object is searched
  RealBox box;       // where the object was marked, on that level
  FernPairs pairs;
  Ferns ferns;
  Templates templates;
  double least_variance = 0;   // of the pixels of a window; half of the object's, `kLeastVariance` or more
  std::int32_t least_sum = 0;  // a window whose ferns give more is a candidate
  double least_relative = 0;   // a candidate that is more alike is found
};

// Windows whose shorter side is below this many pixels are not searched, unless the object is smaller. On
// halved levels windows may be smaller, so that an object can return at two thirds of its size or less.
inline constexpr int kLeastWindowSide = 24, kLeastHalvedSide = 16;

// Pixels of one grey level, or almost, tell no object from another.
inline constexpr double kLeastVariance = 1;

// How often a frame is halved for an object of this size: as often as its shorter side stays at
// `kLeastWindowSide` pixels or more.
int halvings_for(const RealBox& box);

struct ObjectGrid {
  // `level`: the size of the halved frame.
  void plan(Size level, const LearntObject& object);

  Size level;
  LevelPlan windows;
  std::vector<FernOffsets> offsets;  // of each size of windows
};

}  // namespace winnow
