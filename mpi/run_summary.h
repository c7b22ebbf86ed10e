// Says at the end of a run what rank 0 and the other ranks did.
//
// In:     the figures of a finished `ClusterScan`; frames of cameras and streams, as their lines are written.
// Out:    sentences on standard error.
// Memory: counts alone.
// Thread: the main thread.
#pragma once

#include <vector>

#include "cluster/root.h"
#include "terminal/frame_times.h"

namespace winnow::mpi {

class RunSummary {
 public:
  // Call after the frame's line was written. Counts the time since the frame was read, if its input gives frames at
  // its own pace.
  void line_written(const ClusterEvent& event);
  void say_all(const RootFigures& root, const std::vector<RankFigures>& ranks) const;

 private:
  cli::FrameTimes latency_;
};

}  // namespace winnow::mpi
