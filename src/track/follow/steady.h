// Steadies a coordinate from frame to frame, by the One Euro filter (Casiez and others, 2012).
//
// In:     one coordinate per frame, and the rule of the filter.
// Out:    the coordinate with less jitter. A fast coordinate is followed closely; a slow one is smoothed.
// Exact:  doubles in a fixed order.
// Memory: plain data.
// Thread: any.
#pragma once

#include <cmath>

namespace winnow {

struct SteadyRule {
  double cutoff = 0.05;  // the cutoff for a coordinate that stands still, in cycles a frame
  double speed = 1;      // how much the cutoff grows per unit of speed; the unit is a side of the box a frame
};

class Steady {
 public:
  // `side`: the longer side of the box. Speeds are divided by it.
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

  // The weight of the newest value, for a cutoff in cycles a frame.
  static double weight_of(double cutoff) { return 1 / (1 + 1 / (kTurn * cutoff)); }

  bool begun_ = false;
  double value_ = 0, speed_ = 0;
};

}  // namespace winnow
