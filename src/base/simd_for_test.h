// Lets the library choose the SIMD target again when a test ends, even if the test fails.
#pragma once

#include "base/simd.h"

namespace winnow::sample {

class GiveTargetBack {
 public:
  ~GiveTargetBack() { simd_force(""); }
};

}  // namespace winnow::sample
