// Keeps frames in the memory of the host, for the backends `reference` and `cpu`.
#include "track/flow/flow_runner.h"

#include <algorithm>

#include "scale/gaussian/halve.h"
#include "track/flow/kept_flow.h"

namespace winnow {

void KeptFlow::keep(GrayView frame, const FlowRules& rules, int levels) {
  frames_.take(frame, std::max(levels, flow_levels(frame.width, frame.height, rules)));
}

void KeptFlow::carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) {
  const GrayView frame = frames_.now()->level(0);
  frames_.deepen(flow_levels(frame.width, frame.height, rules));
  form_(*frames_.before(), *frames_.now(), points, rules, threads_, results);
}

std::unique_ptr<FlowRunner> make_flow_runner_ref() {
  return std::make_unique<KeptFlow>(flow_ref, halve_ref, 1);
}

std::unique_ptr<FlowRunner> make_flow_runner_cpu(int threads) {
  return std::make_unique<KeptFlow>(flow_cpu, halve_cpu, threads);
}

}  // namespace winnow
