// The steps of the search for an object that differ from backend to backend.
//
// In:     a grey picture.
// Out:    its half; its integral planes; sieves of windows.
// Exact:  all forms give the same bytes (`scale/gaussian/halve.h`, `scale/integral.h`).
// Memory: plain data.
// Thread: any.
#pragma once

#include <memory>

#include "scale/gaussian/halve.h"
#include "scale/integral.h"
#include "track/tld/sift/sift_windows.h"

namespace winnow {

class SieveFrames;  // track/tld/sift/window_sieve.h

struct ObjectSteps {
  HalveStep halve;
  void (*integral)(GrayView picture, const IntegralPlanes& planes);
  SiftStep sift;
  // Makes what a session keeps of its frames on a device. Null: the host sifts all windows itself.
  std::unique_ptr<SieveFrames> (*make_frames)(int device) = nullptr;
};

inline constexpr ObjectSteps kObjectStepsRef{halve_ref, integral_ref, sift_windows_ref};
inline constexpr ObjectSteps kObjectStepsCpu{halve_cpu, integral_cpu, sift_windows_cpu};

}  // namespace winnow
