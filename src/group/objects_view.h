// Gives the objects of a batch of frames in a device's memory, for later steps on the device.
//
// In:     a search whose objects stay on the device (`ObjectsHome::kDevice`).
// Out:    per frame the number of objects, and the objects. Valid for work on the search's stream.
// Exact:  the objects that the caller gets, in their order: without the border, clipped, none below
//         `min_score`.
// Memory: the search owns the objects, and its next `enqueue` overwrites them.
#pragma once

#include <cstdint>

#include "group/group.h"

namespace winnow {

struct ObjectsView {
  // The number that stands for a crowd: a frame with more survivors than one block of threads can group. The
  // host groups the crowd later, and its objects are not here.
  static constexpr std::int32_t kTooMany = -1;

  const std::int32_t* found = nullptr;  // the number of objects of each frame, or kTooMany
  const Candidate* objects = nullptr;   // frame after frame, with room for `stride` objects each
  std::int32_t stride = 0;
  std::int32_t frames = 0;
};

}  // namespace winnow
