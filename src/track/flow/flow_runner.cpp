// Keeps frames in the memory of the host, for the backends `reference` and `cpu`.
#include "track/flow/flow_runner.h"

#include "scale/gaussian/halve.h"
#include "scale/gaussian/kept_frames.h"
#include "track/flow/flow.h"

namespace winnow {
namespace {

class HostFlow final : public FlowRunner {
 public:
  HostFlow(FlowForm form, HalveStep halve, int threads) : form_(form), frames_(halve), threads_(threads) {}

  void keep(GrayView frame, const FlowRules& rules) override {
    frames_.take(frame, flow_levels(frame.width, frame.height, rules));
  }

  void forget() override { frames_.forget(); }
  bool has_before() const override { return frames_.before() != nullptr; }

  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    const GrayView frame = frames_.now()->level(0);
    frames_.deepen(flow_levels(frame.width, frame.height, rules));
    form_(*frames_.before(), *frames_.now(), points, rules, threads_, results);
  }

 private:
  FlowForm form_;
  KeptFrames frames_;
  int threads_;
};

}  // namespace

std::unique_ptr<FlowRunner> make_flow_runner_ref() {
  return std::make_unique<HostFlow>(flow_ref, halve_ref, 1);
}

std::unique_ptr<FlowRunner> make_flow_runner_cpu(int threads) {
  return std::make_unique<HostFlow>(flow_cpu, halve_cpu, threads);
}

}  // namespace winnow
