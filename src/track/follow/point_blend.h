// Blends two places of a point: where flow carried the point, and where a fit found the point.
//
// A fit trembles from frame to frame, and its error does not grow. Flow hardly trembles, and its error grows.
// So the blend stays with flow while the fit trembles around that place, and goes to the fit when the fit
// lies on one side of it in several frames.
//
// In:     for each frame the two places, and the box's side.
// Out:    the blended place.
// Exact:  single operations on doubles in a fixed order: +, -, *, /.
// Memory: plain data.
// Thread: any.
#pragma once

#include "track/follow/point_place.h"

namespace winnow {

class PointBlend {
 public:
  PointPlace next(const PointPlace& carried, const PointPlace& fitted, double side) {
    const double x = fitted.x - carried.x, y = fitted.y - carried.y;
    apart_x_ += (x / side - apart_x_) / 2;
    apart_y_ += (y / side - apart_y_) / 2;
    const double square = apart_x_ * apart_x_ + apart_y_ * apart_y_;
    const double share = square / (square + kTremble * kTremble / 2);
    apart_x_ *= 1 - share;
    apart_y_ *= 1 - share;
    return {carried.x + share * x, carried.y + share * y};
  }

 private:
  static constexpr double kTremble = 0.012;  // how far a fit trembles, in sides of the box

  double apart_x_ = 0, apart_y_ = 0;  // the mean distance of recent frames, in sides of the box
};

}  // namespace winnow
