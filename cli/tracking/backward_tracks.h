// Follows objects from the frames in which they were marked back to the first frame.
//
// In:     a video that can be read again, and marks.
// Out:    for each frame before a mark the tracks of the objects that were marked later, with the ids of the
//         marks.
// Memory: the frames of a `BackwardReader` (winnow/feed.h), and a track for each object and frame.
// Thread: as `Tracker`.
#pragma once

#include <winnow/feed.h>
#include <winnow/tracker.h>

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <vector>

#include "tracking/marks.h"
#include "tracking/track_job.h"

namespace winnow::cli {

using TracksOfFrames = std::map<std::int64_t, std::vector<Track>>;

// `went_to` is called with the number of each frame that was followed. Boxes that cannot be used are left
// out: whoever follows forward tells them.
TracksOfFrames follow_backward(const TrackJob& job, const TrackSource& source, const std::vector<Mark>& marks,
                               const FrameReaderOptions& options, std::stop_token stop,
                               const std::function<void(std::int64_t)>& went_to);

}  // namespace winnow::cli
