// Carries points from one picture to the next, by OpenCV's pyramidal Lucas-Kanade in whole numbers.
//
//   winnow::Flow flow;
//   for (const winnow::FlowPoint& point : flow.track(before.gray.view(), after.gray.view(), points))
//     if (point.found) std::printf("%.2f %.2f\n", point.x, point.y);
//
// In:     grey pictures of one size in host memory (any stride), and points in the first picture. Points may
//         lie anywhere. A point with a coordinate that is not finite is not found. kUsage for pictures of two
//         sizes or without pixels, and for options out of range. kLimit for a side above 65,536 pixels.
//         kDevice if a device fails.
// Out:    a result for each point, in the order of the points.
// Exact:  same results for every backend, thread count and number of points in a call. Places differ from
//         those of cv::calcOpticalFlowPyrLK by less than 0.02 pixels for 99 % of points: OpenCV adds up in
//         floats, Winnow in whole numbers.
// Memory: a flow owns its buffers, which grow to the largest call. Pictures are read only during a call. A
//         reused result keeps its memory.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/export.h>
#include <winnow/flow_options.h>
#include <winnow/image.h>
#include <winnow/landmarker.h>
#include <winnow/machine.h>

namespace winnow {

class WINNOW_API Flow {
 public:
  // Uses the first device only. kBackend if the backend is not available.
  explicit Flow(const MachineOptions& machine = {});
  ~Flow();
  Flow(Flow&&) noexcept;
  Flow& operator=(Flow&&) noexcept;

  BackendKind backend() const;  // kAuto if several backends may be used
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;

  // Carries points from picture `before` to picture `after`. Forgets the frame that `next` kept.
  std::vector<FlowPoint> track(GrayView before, GrayView after, std::span<const LandmarkPoint> points,
                               const FlowOptions& options = {});
  // Writes into an existing result, whose memory is used again.
  void track(GrayView before, GrayView after, std::span<const LandmarkPoint> points,
             const FlowOptions& options, std::vector<FlowPoint>& found);

  // Takes the next frame of a video, and carries points of the previous frame to this frame. Each frame is
  // passed once, so its pyramid is made once. False if there is no previous frame of the same size; `found`
  // is then empty.
  bool next(GrayView frame, std::span<const LandmarkPoint> points, const FlowOptions& options,
            std::vector<FlowPoint>& found);
  // Forgets the previous frame; call this at a cut.
  void forget();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
