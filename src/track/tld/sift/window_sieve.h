// Sifts the windows of a frame for learnt objects on a device, while the host does other work.
//
// In:     a frame for all objects of a session. For each object a grid of windows for the frame's size, and
//         what is known of the object when the work begins.
// Out:    the windows that vary enough and whose ferns give `kFernOne` or more, with their patterns. The
//         searched level and its blurred copy, as `ObjectFrame` shows them.
// Exact:  the lists and the pictures of the host's form (sift_windows.h).
// Memory: `SieveFrames` owns the frame and its levels, a sieve its list. Both live until the next frame.
// Thread: one thread at a time keeps frames and begins. Sieves may finish in a thread each.
#pragma once

#include <memory>
#include <span>

#include <winnow/image.h>

namespace winnow {

class ObjectFrame;    // track/tld/object_frame.h
struct LearntObject;  // track/tld/learnt_object.h
struct LikelyWindow;  // track/tld/object_search.h
struct ObjectGrid;    // track/tld/learnt_object.h

// Sifts the windows of one object.
class WindowSieve {
 public:
  virtual ~WindowSieve() = default;
  // Begins with the newest frame of the `SieveFrames`. `grid` is planned for the object's level of the frame.
  // Both are read during the call alone.
  virtual void begin(const ObjectGrid& grid, const LearntObject& object) = 0;
  // Waits for the work that `begin` began. `frame` then shows the level.
  virtual std::span<const LikelyWindow> finish(ObjectFrame& frame) = 0;
};

// Keeps the newest frame of a session, and each of its levels that an object needs. The sieves that it made
// must be gone before it.
class SieveFrames {
 public:
  virtual ~SieveFrames() = default;
  // The frame may be freed when the call returns.
  virtual void keep(GrayView frame) = 0;
  virtual std::unique_ptr<WindowSieve> make_sieve() = 0;
};

std::unique_ptr<SieveFrames> make_sieve_frames_cuda(int device);

}  // namespace winnow
