// Steadies a coordinate from frame to frame, by the One Euro filter (Casiez and others, 2012).
//
// In:     a coordinate a frame, and how the filter weighs it.
// Out:    the coordinate with less jitter. A fast coordinate is followed closely; a slow one is smoothed.
// Exact:  doubles in a fixed order.
// Memory: plain data.
// Thread: any.
#pragma once

#include <cmath>

namespace winnow {

struct SteadyRule {
  double cutoff = 0.05;  // of a coordinate that stands still, in turns a frame
  double speed = 1;  // how much the cutoff grows with the speed, which counts in sides of the face a frame
};

class Steady {
 public:
  // `side`: the length of the face, which speeds are divided by.
  double next(double value, double side, const SteadyRule& rule) {
    if (!begun_) {
      begun_ = true;
      value_ = value;
      return value_;
    }
    speed_ += weight_of(kSpeedCutoff) * ((value - value_) / side - speed_);
    value_ += weight_of(rule.cutoff + rule.speed * std::abs(speed_)) * (value - value_);
    return value_;
  }
  void reset() { *this = {}; }

 private:
  static constexpr double kSpeedCutoff = 0.15;
  static constexpr double kTurn = 6.283185307179586;

  // The share of the newest value, for a cutoff in turns a frame.
  static double weight_of(double cutoff) { return 1 / (1 + 1 / (kTurn * cutoff)); }

  bool begun_ = false;
  double value_ = 0, speed_ = 0;
};

}  // namespace winnow
