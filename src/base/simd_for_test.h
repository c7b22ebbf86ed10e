// Ends the forcing of a SIMD target at the end of a test, also if the test fails.
#pragma once

#include "base/simd.h"

namespace winnow::sample {

class GiveTargetBack {
 public:
  ~GiveTargetBack() { simd_force(""); }
};

}  // namespace winnow::sample
