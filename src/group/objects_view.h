// Objects of a batch of frames in a device's memory, for steps that go on with them there.
//
// In:     `found` and `objects` as a search wrote them; good in the order of the search's stream.
// Exact:  the objects that the host would get before clipping and `min_score`.
// Memory: the search's, until its next `enqueue`.
#pragma once

#include <cstdint>

#include "group/group.h"

namespace winnow {

struct ObjectsView {
  static constexpr std::int32_t kTooMany = -1;

  const std::int32_t* found = nullptr;  // objects of each frame; kTooMany: only the host groups this frame
  const Candidate* objects = nullptr;   // `stride` places a frame
  std::int32_t stride = 0;
  std::int32_t frames = 0;
};

}  // namespace winnow
