// Places a detector's box for a model of landmarks.
//
// In:     a box in pixels, whole or not, and the model's `BoxPlace`.
// Out:    the box of a fit. Its sides go from the middle of the first pixel to the middle of the last.
// Exact:  doubles in a fixed order; a default `BoxPlace` leaves the box as it is.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <winnow/box.h>
#include <winnow/landmarks.h>

#include "base/device/host_device.h"
#include "shape/shape_rule.h"

namespace winnow {

WINNOW_HOST_DEVICE inline ShapeBox placed_box(const RealBox& box, const BoxPlace& place) {
  const double across = box.width - 1, down = box.height - 1;
  const double wide = across * place.scale, high = down * place.scale;
  return {box.x + across * place.right + (across - wide) / 2, box.y + down * place.down + (down - high) / 2,
          wide, high};
}

}  // namespace winnow
