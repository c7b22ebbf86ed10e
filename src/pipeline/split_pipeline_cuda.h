// One large picture searched by several devices, each its share of the rows of every level.
// In: a picture, its plan. Out: its objects and counters. exact: windows are judged alike wherever their rows
// fall, and grouped together. Each device copies its part of the picture from the host, piece by piece, while
// the next piece is staged, and the other parts from the other devices. What a part can be judged by is
// judged wave by wave as rows arrive, one wave while the last blocks of another end. With one device it is
// the way of a single large picture.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cuda_device.h"
#include "pipeline/device_pipeline_cuda.h"

namespace winnow {

class SplitPipeline {
 public:
  SplitPipeline(const DeviceKind& kind, std::span<const int> devices);
  ~SplitPipeline();
  // False for cascades whose windows are too large for tiles: their levels are judged whole.
  bool usable() const;
  void search(GrayView picture, const SearchRequest& request, Detections& result);

 private:
  class Share;
  void plan(const SearchRequest& request);

  Size window_;
  std::vector<std::unique_ptr<Share>> shares_;
  int planned_ = 0;
  std::vector<Survivor> survivors_;
  HostGrouping grouping_;
};

}  // namespace winnow
