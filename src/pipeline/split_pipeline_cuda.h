// Searches one large picture by rows, on one or several devices.
//
// Each device judges its share of the rows of every level. A device copies its own rows of the picture from
// the host, piece by piece, while the next piece is staged. The other rows come from the other devices.
// Windows are judged in waves, as rows arrive. A wave begins while the last blocks of threads of another wave
// end. A single device searches a single large picture in the same waves.
//
// In:     a picture in host memory (any stride) and its plan, both read only during `search`.
// Out:    the picture's objects and counters.
// Exact:  same answers for every number of devices. The position of a cut between shares changes no window's
//         verdict, and all survivors are grouped together.
// Memory: the pipeline owns its memory. Each device holds the whole picture, and pinned memory holds the
//         device's own rows. Memory is allocated when a plan needs more than before, or a picture has more
//         survivors than before.
// Thread: one thread at a time; `search` uses a thread per device, and waits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/device/cuda_device.h"
#include "pipeline/device_pipeline_cuda.h"

namespace winnow {

class SplitPipeline {
 public:
  SplitPipeline(const DeviceKind& kind, std::span<const int> devices);
  ~SplitPipeline();
  // False if the model's windows are too large for tiles. `search` must not be called if `usable` is false.
  bool usable() const;
  void search(GrayView picture, const SearchRequest& request, Detections& result);

 private:
  class Share;
  void plan(const SearchRequest& request);

  Size window_;
  std::vector<std::unique_ptr<Share>> shares_;
  int planned_ = 0;
  std::vector<Survivor> survivors_;
  HostMerger merger_;
};

}  // namespace winnow
