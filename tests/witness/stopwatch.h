// Measures the seconds since a stopwatch was made, with a steady clock.
//
// Memory: one time point.
#pragma once

#include <chrono>

namespace witness {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace witness
