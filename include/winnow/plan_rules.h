// Lists the rules that a kind of model has for its searches: sizes of levels, grids of windows, merging of
// windows.
//
// In:     nothing; rules are applied by `plan_levels` (src/scale/plan.cpp) and, for merging, by src/group.
// Exact:  each rule is plain IEEE arithmetic in a fixed order, with the same bits on every backend.
// Memory: plain data.
#pragma once

#include <cstdint>

#include <winnow/box.h>

namespace winnow {

// Chooses the levels: the sizes to which the picture is scaled for the search.
enum class ScaleRule : std::uint8_t {
  // OpenCV's cascades: powers of the scale factor, rounded to float. Rows of windows that do not fill one of
  // OpenCV's stripes (groups of rows) are left out. The number of stripes follows from the width of the first
  // level, not from the number of threads. If `min_size` and `max_size` leave no level, the level nearest to
  // `min_size` is searched.
  kOpenCvList = 0,
  // OpenCV's HOG: powers of the scale factor in double, 64 levels at most by default, and every window of a
  // level. If `min_size` and `max_size` leave no level, there are no windows.
  kOpenCvHog = 1,
};

// The distance of neighbouring windows, in pixels of the level.
enum class StepRule : std::uint8_t {
  kTwoBelowScaleTwo = 0,  // 2 pixels on levels of a scale below 2, else 1
  kFixed = 1,             // `PlanRules::fixed_step` on every level
};

// How the sides of the boxes of a group are averaged.
enum class MeanRule : std::uint8_t {
  kFloat = 0,   // OpenCV's cascades: the sum times the reciprocal of the count, in float
  kDouble = 1,  // OpenCV's HOG: the same product, in double
};

// The weight of a window if windows are merged by mean shift.
enum class WeightRule : std::uint8_t {
  kEqual = 0,  // cascades: all windows weigh the same
  kScore = 1,  // linear SVMs: a window weighs its score, or 0 if the score is below 0
};

struct PlanRules {
  ScaleRule scale = ScaleRule::kOpenCvList;
  StepRule step = StepRule::kTwoBelowScaleTwo;
  Size fixed_step{1, 1};  // for kFixed; sides of 1 or more
  MeanRule mean = MeanRule::kFloat;
  WeightRule weight = WeightRule::kEqual;
  int step_unit = 1;  // sides of `fixed_step` and `DetectOptions::step` must be multiples of this
  // Whether windows may begin on any pixel, also outside of a level. A search may then take
  // `DetectOptions::padding`, `locations` and `max_levels`.
  bool any_place = false;
  bool operator==(const PlanRules&) const = default;
};

}  // namespace winnow
