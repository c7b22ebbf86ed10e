// Carries points of pictures in host memory on a device, as track/flow/flow_runner.h declares; its opening
// comment holds here.
#include <algorithm>
#include <cstring>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/frames/frame.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "track/flow/flow_runner.h"
#include "track/flow/flow_steps_cuda.h"

namespace winnow {
namespace {

class DeviceFlowRunner final : public FlowRunner {
 public:
  explicit DeviceFlowRunner(int device) : device_(device) {}

  void keep(GrayView frame, const FlowRules& rules) override {
    const OnDevice on(device_);
    const bool same = kept_ > 0 && frames_[now_].size == frame.size();
    kept_ = 0;  // stays 0 if memory is short
    now_ = 1 - now_;
    Frame& kept = frames_[now_];
    if (kept.copying) wait();
    kept.size = frame.size();
    kept.levels = 0;
    const auto bytes = static_cast<std::size_t>(frame_bytes(frame.size()));
    kept.staged.reserve(bytes);
    kept.pixels.reserve(bytes);
    stage_rows(frame, {0, frame.height}, kept.staged.data());
    check_cuda(
        cudaMemcpyAsync(kept.pixels.data(), kept.staged.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
        "copying a picture to the device");
    kept.copying = true;
    make_levels(kept, rules);
    kept_ = same ? 2 : 1;
  }

  void forget() override { kept_ = 0; }
  bool has_before() const override { return kept_ == 2; }

  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    const OnDevice on(device_);
    Frame &now = frames_[now_], &before = frames_[1 - now_];
    for (Frame* frame : {&before, &now}) make_levels(*frame, rules);  // `keep` may have had other rules
    reserve(points.size());
    std::copy(points.begin(), points.end(), host_points_.data());
    host_count_[0] = static_cast<std::int32_t>(points.size());
    check_cuda(cudaMemcpyAsync(points_.data(), host_points_.data(), points.size_bytes(),
                               cudaMemcpyHostToDevice, stream_.get()),
               "copying points to the device");
    check_cuda(cudaMemcpyAsync(count_.data(), host_count_.data(), sizeof(std::int32_t),
                               cudaMemcpyHostToDevice, stream_.get()),
               "copying points to the device");
    DeviceFlow(rules).enqueue(before.pyramid.view(before.pixels.data()), now.pyramid.view(now.pixels.data()),
                              {points_.data(), count_.data(), 1, static_cast<int>(points.size())},
                              results_.data(), stream_.get());
    check_cuda(cudaMemcpyAsync(host_results_.data(), results_.data(), points.size() * sizeof(FlowResult),
                               cudaMemcpyDeviceToHost, stream_.get()),
               "copying points from the device");
    wait();
    std::copy_n(host_results_.data(), points.size(), results);
  }

 private:
  struct Frame {
    Size size;
    int levels = 0;        // number of levels in this frame's pyramid
    bool copying = false;  // a copy from `staged` may still run
    PinnedBuffer<std::uint8_t> staged;
    DeviceBuffer<std::uint8_t> pixels;
    DeviceGaussianPyramid pyramid;
    Size planned_size;
    int planned_levels = 0;
  };

  void make_levels(Frame& frame, const FlowRules& rules) {
    const int levels = flow_levels(frame.size.width, frame.size.height, rules);
    if (frame.levels >= levels) return;
    if (frame.planned_size != frame.size || frame.planned_levels != levels) {
      wait();
      frame.planned_levels = 0;
      frame.pyramid.plan(frame.size, levels, 1);
      frame.planned_size = frame.size;
      frame.planned_levels = levels;
    }
    frame.pyramid.enqueue(frame.pixels.data(), 1, stream_.get());
    frame.levels = levels;
  }

  void reserve(std::size_t points) {
    host_points_.reserve(points);
    points_.reserve(points);
    host_results_.reserve(points);
    results_.reserve(points);
    host_count_.reserve(1);
    count_.reserve(1);
  }

  void wait() {
    check_cuda(cudaStreamSynchronize(stream_.get()), "carrying points");
    for (Frame& frame : frames_) frame.copying = false;
  }

  int device_;
  CudaStream stream_ = make_stream();
  Frame frames_[2];
  int now_ = 0, kept_ = 0;  // index of the newest frame; number of kept frames of its size
  PinnedBuffer<FlowPlace> host_points_;
  DeviceBuffer<FlowPlace> points_;
  PinnedBuffer<std::int32_t> host_count_;
  DeviceBuffer<std::int32_t> count_;
  PinnedBuffer<FlowResult> host_results_;
  DeviceBuffer<FlowResult> results_;
};

}  // namespace

std::unique_ptr<FlowRunner> make_flow_runner_cuda(int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<DeviceFlowRunner>(device);
}

}  // namespace winnow
