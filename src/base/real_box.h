// Measures boxes in real coordinates: sides, middles, areas, and how much two boxes overlap.
//
// In:     boxes, as winnow/box.h says where their edges lie.
// Out:    lengths and places in pixels, areas, and fractions from 0 to 1.
// Exact:  single IEEE operations on doubles in a fixed order; same bits on host and device.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>

#include <winnow/box.h>

#include "base/device/host_device.h"

namespace winnow {

WINNOW_HOST_DEVICE inline RealBox real_box(const Box& box) {
  return {static_cast<double>(box.x), static_cast<double>(box.y), static_cast<double>(box.width),
          static_cast<double>(box.height)};
}

WINNOW_HOST_DEVICE inline double middle_x(const RealBox& box) { return box.x + box.width / 2; }
WINNOW_HOST_DEVICE inline double middle_y(const RealBox& box) { return box.y + box.height / 2; }

// The longer side of a box.
WINNOW_HOST_DEVICE inline double side_of(const RealBox& box) {
  return box.width > box.height ? box.width : box.height;
}

WINNOW_HOST_DEVICE inline double area_of(const RealBox& box) { return box.width * box.height; }

// The area that two boxes share.
WINNOW_HOST_DEVICE inline double shared_area(const RealBox& a, const RealBox& b) {
  const double left = std::max(a.x, b.x), top = std::max(a.y, b.y);
  const double right = std::min(a.x + a.width, b.x + b.width);
  const double bottom = std::min(a.y + a.height, b.y + b.height);
  return right > left && bottom > top ? (right - left) * (bottom - top) : 0;
}

// Intersection over union: the shared area, divided by the area that the two boxes cover together. 0 for two
// boxes without area.
WINNOW_HOST_DEVICE inline double overlap_of(const RealBox& a, const RealBox& b) {
  const double shared = shared_area(a, b);
  const double all = area_of(a) + area_of(b) - shared;
  return all > 0 ? shared / all : 0;
}

}  // namespace winnow
