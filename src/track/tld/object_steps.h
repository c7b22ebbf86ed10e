// The steps of the search for an object that differ from backend to backend.
//
// In:     a grey picture.
// Out:    its half; its integral planes.
// Exact:  all forms give the same bytes (`scale/gaussian/halve.h`, `scale/integral.h`).
// Memory: plain data.
// Thread: any.
#pragma once

#include "scale/gaussian/halve.h"
#include "scale/integral.h"

namespace winnow {

struct ObjectSteps {
  HalveStep halve;
  void (*integral)(GrayView picture, const IntegralPlanes& planes);
};

inline constexpr ObjectSteps kObjectStepsRef{halve_ref, integral_ref};
inline constexpr ObjectSteps kObjectStepsCpu{halve_cpu, integral_cpu};

}  // namespace winnow
