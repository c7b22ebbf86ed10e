// Carries points between pictures whose pyramids lie on a device, without the host in between.
//
// In:     the pyramids of two batches of frames. Lists of points, one for each frame, and their lengths lie
//         in device memory, so that earlier work on the stream may make them.
// Out:    a result for each point, in device memory.
// Exact:  the bits of `flow_ref`.
// Memory: the caller owns pyramids, points and results, which must stay until the work is done. Nothing is
//         allocated and the call does not wait, so a graph can hold the step.
// Thread: any. The device of the memory must be current.
// Cost:   one launch. A block of threads carries a point through all levels. A step of the search reads
//         pixels from registers, unless the window has moved to another whole pixel.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "track/flow/flow_rule.h"

namespace winnow {

// Lists of points in device memory. List i belongs to frame i.
struct DeviceFlowLists {
  const FlowPlace* points = nullptr;  // list i begins at points + i * pitch
  const std::int32_t* counts = nullptr;
  int lists = 1;  // at most 65,535
  int pitch = 0;  // the most points of a list; a larger count counts as this
  // For each list, the number of its frame in the pyramid `before`, in device memory. Null: i for list i.
  const std::int32_t* before = nullptr;
};

class DeviceFlow {
 public:
  // `warps`: the warps of a block, 1, 2 or 4. It does not change a result.
  explicit DeviceFlow(const FlowRules& rules, int warps = 4) : rules_(rules), warps_(warps) {}

  // Carries list i to frame i of the pyramid `now`. Both pyramids have frames of one size, and as many levels
  // as `flow_levels` says; further levels are not read. The results of list i begin at results + i * pitch.
  // Results behind a list's end are not written.
  void enqueue(const GaussianPyramidView& before, const GaussianPyramidView& now,
               const DeviceFlowLists& points, FlowResult* results, cudaStream_t stream) const;

 private:
  FlowRules rules_;
  int warps_;
};

}  // namespace winnow
