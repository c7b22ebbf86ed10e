// Carries points of several videos and searches their frames on devices: a batch of frames is one submission,
// and the host waits once for it.
//
// Each video belongs to one device, which keeps the video's last frame. Frames of one size that are searched
// with the same plan share batches. Frames of one size that are not searched share other batches.
//
// In:     as `follow_pipeline.h`.
// Out:    as `follow_pipeline.h`.
// Exact:  same answers for every number of devices and videos.
// Memory: owns buffers on host and devices, allocated when a plan needs more than before. A video keeps a
//         place on its device until `forget`, or until its frames have another size.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pipeline/device_pipeline_cuda.h"
#include "pipeline/follow_pipeline.h"

namespace winnow {

class FollowDevices final : public FollowPipeline {
 public:
  FollowDevices(const DeviceKind& kind, std::span<const int> devices);
  ~FollowDevices() override;

  void follow(std::span<const FollowJob> jobs, const FlowRules& rules) override;
  void forget(int video) override;

 private:
  class Device;
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace winnow
