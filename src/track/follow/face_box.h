// Gives the box and the points of a face, in fractions of pixels.
//
// Exact:  plain doubles; host and device code compute the same.
// Memory: plain data.
// Thread: any.
#pragma once

#include "base/device/host_device.h"

namespace winnow {

struct FacePlace {
  double x = 0, y = 0;
};

struct FaceBox {
  double left = 0, top = 0, width = 0, height = 0;

  WINNOW_HOST_DEVICE double middle_x() const { return left + width / 2; }
  WINNOW_HOST_DEVICE double middle_y() const { return top + height / 2; }
};

// The longer side of a box.
WINNOW_HOST_DEVICE inline double side_of(const FaceBox& box) {
  return box.width > box.height ? box.width : box.height;
}

}  // namespace winnow
