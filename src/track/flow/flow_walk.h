// Carries one point through the levels of two pyramids: the order of the search, for all backends.
//
// In:     a backend's windows of two pictures (`Windows`, below), the point's place, and the rules.
// Out:    where the point went, whether it was found, and its measures.
// Exact:  as flow_rule.h says. On a device all threads of a block call these functions together, and each has
//         the same numbers.
// Memory: nothing is allocated.
// Thread: any, with windows of its own.
//
// `Windows` is a backend's class that reads windows. `levels()`, `width(level)` and `height(level)` describe
// the pyramids. `at` is the left top corner of a window that `flow_reaches` allows.
//
//   FlowSums open(int level, const FlowCorner& at);   reads the picture before; keeps its patch and slopes
//   FlowPull pull(int level, const FlowCorner& at);   compares the picture after with the kept patch
//   FlowLikeness likeness(const FlowCorner& before, const FlowCorner& now);
//       compares the kept patch with the picture after in level 0, for the error. If the rules say `ncc`,
//       also correlates the windows of `ncc` around the same middles. The next call is `open` or `turn`.
//   void turn();                                      exchanges the two pictures
#pragma once

#include "track/flow/flow_rule.h"

namespace winnow {

struct FlowEnd {
  FlowPlace place;
  bool found = false;
};

// The way from the left top corner of a window to its middle.
WINNOW_HOST_DEVICE inline FlowPlace flow_half(const FlowRules& rules) {
  return {static_cast<float>(rules.width - 1) * 0.5F, static_cast<float>(rules.height - 1) * 0.5F};
}

// Searches for a point in one level. `now` is where the search begins, and afterwards where it ended.
template <class Windows>
WINNOW_HOST_DEVICE bool flow_level(Windows& windows, int level, const FlowRules& rules,
                                   const FlowPlace& before, FlowPlace& now) {
  const int width = windows.width(level), height = windows.height(level);
  const FlowPlace half = flow_half(rules);
  const FlowPlace corner{before.x - half.x, before.y - half.y};
  if (!flow_reaches(corner, rules, width, height)) return false;
  const FlowMatrix matrix = flow_matrix(windows.open(level, flow_corner(corner)), rules);
  if (!matrix.textured) return false;
  FlowPlace at{now.x - half.x, now.y - half.y}, last;
  for (int i = 0; i < rules.iterations; ++i) {
    if (!flow_reaches(at, rules, width, height)) return false;
    const FlowPlace step = flow_step(matrix, windows.pull(level, flow_corner(at)));
    at = {at.x + step.x, at.y + step.y};
    now = {at.x + half.x, at.y + half.y};
    if (flow_is_short(step, rules.eps_square)) break;
    if (i > 0 && flow_returns(step, last)) {
      now = {now.x - step.x * 0.5F, now.y - step.y * 0.5F};
      break;
    }
    last = step;
  }
  return true;
}

// A point that a coarse level cannot follow keeps its place for the next level. Level 0 alone decides whether
// the point is found. `shift`: from `start` to where the search begins, in pixels of level 0.
template <class Windows>
WINNOW_HOST_DEVICE FlowEnd flow_walk(Windows& windows, const FlowPlace& start, const FlowPlace& shift,
                                     const FlowRules& rules) {
  FlowEnd end;
  const int levels = windows.levels();
  for (int level = levels - 1; level >= 0; --level) {
    const float scale = 1.0F / static_cast<float>(1 << level);
    const FlowPlace before{start.x * scale, start.y * scale};
    end.place = level == levels - 1 ? FlowPlace{before.x + shift.x * scale, before.y + shift.y * scale}
                                    : FlowPlace{end.place.x * 2.0F, end.place.y * 2.0F};
    end.found = flow_level(windows, level, rules, before, end.place);
  }
  return end;
}

template <class Windows>
WINNOW_HOST_DEVICE FlowResult flow_carry(Windows& windows, const FlowPlace& start, const FlowRules& rules) {
  FlowResult result;
  const FlowEnd end = flow_walk(windows, start, rules.shift, rules);
  // NaN has different bits on different processors. So the coordinate of `start` takes the place of NaN.
  result.place = {end.place.x == end.place.x ? end.place.x : start.x,
                  end.place.y == end.place.y ? end.place.y : start.y};
  if (!end.found) return result;
  const FlowPlace half = flow_half(rules), before{start.x - half.x, start.y - half.y},
                  now{end.place.x - half.x, end.place.y - half.y};
  if (!flow_reaches(now, rules, windows.width(0), windows.height(0))) return result;
  const FlowLikeness likeness = windows.likeness(flow_corner(before), flow_corner(now));
  result.found = 1;
  result.error = flow_error(likeness, rules);
  if (rules.ncc) result.ncc = flow_ncc(likeness, rules);
  if (!rules.back) return result;
  windows.turn();
  const FlowEnd back = flow_walk(windows, end.place, {-rules.shift.x, -rules.shift.y}, rules);
  windows.turn();
  result.back_distance = back.found ? flow_distance(start, back.place) : HUGE_VALF;
  return result;
}

}  // namespace winnow
