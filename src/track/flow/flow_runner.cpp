// Keeps frames in the memory of the host, for the backends `reference` and `cpu`.
#include "track/flow/flow_runner.h"

#include <utility>

#include "scale/gaussian/gaussian_pyramid.h"
#include "scale/gaussian/halve.h"
#include "track/flow/flow.h"

namespace winnow {
namespace {

class HostFlow final : public FlowRunner {
 public:
  HostFlow(FlowForm form, HalveStep halve, int threads) : form_(form), halve_(halve), threads_(threads) {}

  void keep(GrayView frame, const FlowRules& rules) override {
    const bool same = kept_ > 0 && now_.level(0).size() == frame.size();
    kept_ = 0;  // stays 0 if memory is short
    now_.swap(before_);
    now_.make(frame, flow_levels(frame.width, frame.height, rules), halve_);
    kept_ = same ? 2 : 1;
  }

  void forget() override { kept_ = 0; }
  bool has_before() const override { return kept_ == 2; }

  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    const GrayView frame = before_.level(0);
    const int levels = flow_levels(frame.width, frame.height, rules);
    // The previous frame may have been kept for rules with fewer levels.
    if (before_.levels() < levels) {
      more_.make(frame, levels, halve_);
      more_.swap(before_);
    }
    form_(before_, now_, points, rules, threads_, results);
  }

 private:
  FlowForm form_;
  HalveStep halve_;
  int threads_;
  GaussianPyramid now_, before_, more_;
  int kept_ = 0;  // the number of kept frames of the present size, at most 2
};

}  // namespace

std::unique_ptr<FlowRunner> make_flow_runner_ref() {
  return std::make_unique<HostFlow>(flow_ref, halve_ref, 1);
}

std::unique_ptr<FlowRunner> make_flow_runner_cpu(int threads) {
  return std::make_unique<HostFlow>(flow_cpu, halve_cpu, threads);
}

}  // namespace winnow
