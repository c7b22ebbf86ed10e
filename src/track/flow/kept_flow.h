// Carries points between the kept frames of a video, on the host.
//
// In:     a form of flow, and of the halving step; frames and points, as flow_runner.h says.
// Out:    a result for each point. The kept frames, which others may read between the calls.
// Exact:  as flow.h says.
// Memory: owns the kept frames.
// Thread: one thread at a time. Between calls of `keep` and `carry` any number of threads may read the
//         frames.
#pragma once

#include <span>

#include "scale/gaussian/kept_frames.h"
#include "track/flow/flow.h"
#include "track/flow/flow_runner.h"

namespace winnow {

class KeptFlow final : public FlowRunner {
 public:
  KeptFlow(FlowForm form, HalveStep halve, int threads) : form_(form), frames_(halve), threads_(threads) {}

  void keep(GrayView frame, const FlowRules& rules) override { keep(frame, rules, 0); }
  // Keeps `levels` levels or more of the frame.
  void keep(GrayView frame, const FlowRules& rules, int levels);
  void forget() override { frames_.forget(); }
  bool has_before() const override { return frames_.before() != nullptr; }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override;

  KeptFrames& frames() { return frames_; }

 private:
  FlowForm form_;
  KeptFrames frames_;
  int threads_;
};

}  // namespace winnow
