// Keeps the frames of a video for objects: carries points between them, and sifts the windows of the newest.
//
// In:     a frame for all objects of a video. For each object a grid of windows for the frame's size, and
//         what is known of the object.
// Out:    the windows that vary enough and whose ferns give `kFernOne` or more, with their patterns. The
//         searched level and its blurred copy, as `ObjectFrame` shows them. Flow, as flow_runner.h says.
// Exact:  all forms give the same lists, pictures and flow. The lists are those of sift_windows.h.
// Memory: `SieveFrames` owns the last two frames and the levels of the newest. Objects share them: each level
//         is made once. A sieve owns its list. What `finish` gave lives until the next frame.
// Thread: one thread at a time keeps frames, begins and carries. Sieves may finish in a thread each.
//
// On a device windows are sifted while the host does other work: from `begin` to `finish`. On the host
// `finish` sifts.
#pragma once

#include <memory>
#include <span>

#include <winnow/image.h>

#include "track/flow/flow.h"
#include "track/flow/flow_runner.h"
#include "track/tld/sift/sift_windows.h"

namespace winnow {

struct ObjectSteps;  // track/tld/object_steps.h

// Sifts the windows of one object.
class WindowSieve {
 public:
  virtual ~WindowSieve() = default;
  // Begins with the newest frame of the `SieveFrames`. `grid` is planned for the object's level of the frame.
  virtual void begin(const ObjectGrid& grid, const LearntObject& object) = 0;
  // Ends what `begin` began, with the same grid and object. `frame` then shows the level. `threads`: of the
  // host, if it sifts.
  virtual std::span<const LikelyWindow> finish(const ObjectGrid& grid, const LearntObject& object,
                                               int threads, ObjectFrame& frame) = 0;
};

// The sieves that it made must be gone before it.
class SieveFrames : public FlowRunner {
 public:
  virtual std::unique_ptr<WindowSieve> make_sieve() = 0;
};

// `steps` must outlive the frames. `threads`: for flow.
std::unique_ptr<SieveFrames> make_host_sieve_frames(const ObjectSteps& steps, SiftStep sift, FlowForm flow,
                                                    int threads);
std::unique_ptr<SieveFrames> make_sieve_frames_ref(int threads, int device);
std::unique_ptr<SieveFrames> make_sieve_frames_cpu(int threads, int device);
std::unique_ptr<SieveFrames> make_sieve_frames_cuda(int threads, int device);

}  // namespace winnow
