// The steps of the search for an object that differ from backend to backend.
//
// In:     a grey picture.
// Out:    its half; its integral planes; what keeps frames and sifts windows.
// Exact:  all forms give the same bytes (`scale/gaussian/halve.h`, `scale/integral.h`).
// Memory: plain data.
// Thread: any.
#pragma once

#include <memory>

#include "scale/gaussian/halve.h"
#include "scale/integral.h"
#include "track/tld/sift/window_sieve.h"

namespace winnow {

struct ObjectSteps {
  HalveStep halve;
  void (*integral)(GrayView picture, const IntegralPlanes& planes);
  // Makes what keeps the frames of a video. `threads`: of the host, for flow.
  std::unique_ptr<SieveFrames> (*make_frames)(int threads, int device);
};

inline constexpr ObjectSteps kObjectStepsRef{halve_ref, integral_ref, make_sieve_frames_ref};
inline constexpr ObjectSteps kObjectStepsCpu{halve_cpu, integral_cpu, make_sieve_frames_cpu};

}  // namespace winnow
