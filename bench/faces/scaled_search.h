// Searches a picture with a Haar cascade by scaling the cascade's features instead of the picture.
//
// In:     a grey picture, a cascade of upright Haar features, and the search's steps. kUsage for LBP, tilted
//         features, tables and soft cascades.
// Out:    the windows that pass all stages, size by size and row by row.
// Exact:  plain loops in double. Boxes are not those of OpenCV: that is the point of this baseline.
// Memory: the caller owns the windows.
// Cost:   every window of every size is judged, on one thread.
//
// A rectangle's corner and sides are scaled and rounded to whole pixels. The rectangle's weight is multiplied
// by the exact area over the rounded area. A node's threshold is multiplied by the window's deviation and the
// scaled area. Deviation and area are those of the window without its outermost pixels, because OpenCV
// trained the cascades so.
#pragma once

#include <winnow/box.h>
#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include <cstdint>
#include <vector>

namespace bench {

struct ScaledSearch {
  double scale_factor = 1.2;  // the ratio of neighbouring sizes, above 1
  int step = 1;               // the distance of neighbouring windows of every size, in pixels
};
std::vector<winnow::Box> scaled_search(winnow::GrayView picture, const winnow::CascadeModel& model,
                                       const ScaledSearch& search);
// The number of windows that this search judges.
std::int64_t scaled_windows(winnow::Size picture, winnow::Size window, const ScaledSearch& search);

// The picture at half its size: rounded means of 2x2 pixels. A last odd row or column is left out.
winnow::GrayImage half_of(winnow::GrayView picture);

}  // namespace bench
