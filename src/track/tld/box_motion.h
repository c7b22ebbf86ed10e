// Finds how a box moved, from the flow of a grid of points in it: median flow.
//
// In:     a box, the points of `grid_points`, and the flow of each, there and back, with the correlation of
//         the windows around both places; how many times enlarged the picture is, for the distance in pixels
//         at which flow has failed.
// Out:    the box in the other frame, and how well flow went; none if flow failed.
// Exact:  single IEEE operations on doubles in a fixed order.
// Memory: the caller owns points and flow.
// Thread: any.
//
// Half of the points may be wrong: those that come back farther away than the median, or whose windows
// correlate less than the median, are left out. The growth is the median over all pairs of the points that
// stay.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "track/flow/flow_rule.h"

namespace winnow {

inline constexpr int kGridSide = 10;  // points in a row, and rows

void grid_points(const RealBox& box, std::vector<FlowPlace>& points);

struct FlowSigns {
  double kept = 0;  // the share of points that flow found there and back
  double back = 0;  // the median of the distances at which they came back, in pixels before enlargement
};

// Whether flow failed: few points came back, or they came back far away.
bool is_torn(std::span<const FlowResult> flow, int enlarged = 1);

// The middle of values, which are not none, or the mean of the two middle values. Orders the values.
double median_of(std::vector<double>& values);

// `signs`: set if there is a box; may be null.
std::optional<RealBox> moved_box(const RealBox& box, std::span<const FlowPlace> points,
                                 std::span<const FlowResult> flow, Size frame, int enlarged = 1,
                                 FlowSigns* signs = nullptr);

}  // namespace winnow
