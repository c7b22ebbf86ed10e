// Keeps the last two frames on a backend, and carries points between them.
//
// In:     grey frames of one size, one after the other, and points of the frame before the newest.
// Out:    a result for each point.
// Exact:  as flow.h says.
// Memory: a runner owns its pyramids, and uses them again. A frame may be freed when `keep` returns.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <span>

#include <winnow/image.h>

#include "track/flow/flow_rule.h"

namespace winnow {

class FlowRunner {
 public:
  virtual ~FlowRunner() = default;
  // Keeps `frame`, which has pixels, as the newest frame. The newest frame so far becomes the frame before. A
  // frame of another size has no frame before it. If memory is short, no frame is kept.
  virtual void keep(GrayView frame, const FlowRules& rules) = 0;
  virtual void forget() = 0;
  virtual bool has_before() const = 0;
  // Carries points of the frame before into the newest frame. There must be a frame before. `rules` may be
  // others than those of `keep`, and others in each call. `results` has room for one result per point.
  virtual void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) = 0;
};

std::unique_ptr<FlowRunner> make_flow_runner_ref();
std::unique_ptr<FlowRunner> make_flow_runner_cpu(int threads);
std::unique_ptr<FlowRunner> make_flow_runner_cuda(int device);

}  // namespace winnow
