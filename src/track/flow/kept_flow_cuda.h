// Carries points between the kept frames of a video, on a device.
//
// In:     frames and points in host memory, as flow_runner.h says.
// Out:    a result for each point. The kept frames, which others may read between the calls.
// Exact:  as flow.h says.
// Memory: owns the kept frames.
// Thread: one thread at a time. The device of the memory must be current.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/device/cuda_memory.h"
#include "scale/gaussian/kept_frames_cuda.h"
#include "track/flow/flow_rule.h"

namespace winnow {

class DeviceKeptFlow {
 public:
  // Keeps `levels` levels or more of the frame.
  void keep(GrayView frame, const FlowRules& rules, int levels = 0) {
    frames_.take(frame, std::max(levels, flow_levels(frame.width, frame.height, rules)));
  }
  void forget() { frames_.forget(); }
  bool has_before() const { return frames_.kept() == 2; }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results);

  DeviceKeptFrames& frames() { return frames_; }

 private:
  void reserve(std::size_t points);

  DeviceKeptFrames frames_;
  PinnedBuffer<FlowPlace> host_points_;
  DeviceBuffer<FlowPlace> points_;
  PinnedBuffer<std::int32_t> host_count_;
  DeviceBuffer<std::int32_t> count_;
  PinnedBuffer<FlowResult> host_results_;
  DeviceBuffer<FlowResult> results_;
};

}  // namespace winnow
