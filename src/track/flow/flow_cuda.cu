// Carries points of pictures in host memory on a device, as track/flow/flow_runner.h declares; its opening
// comment holds here.
#include <algorithm>

#include "base/device/cuda_device.h"
#include "track/flow/flow_runner.h"
#include "track/flow/flow_steps_cuda.h"
#include "track/flow/kept_flow_cuda.h"

namespace winnow {
namespace {

class DeviceFlowRunner final : public FlowRunner {
 public:
  explicit DeviceFlowRunner(int device) : device_(device) {}

  void keep(GrayView frame, const FlowRules& rules) override {
    const OnDevice on(device_);
    flow_.keep(frame, rules);
  }
  void forget() override { flow_.forget(); }
  bool has_before() const override { return flow_.has_before(); }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    const OnDevice on(device_);
    flow_.carry(points, rules, results);
  }

 private:
  int device_;
  DeviceKeptFlow flow_;
};

}  // namespace

void DeviceKeptFlow::carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) {
  const Size size = frames_.size();
  frames_.deepen(flow_levels(size.width, size.height, rules));  // `keep` may have had other rules
  reserve(points.size());
  const cudaStream_t stream = frames_.stream();
  std::copy(points.begin(), points.end(), host_points_.data());
  host_count_[0] = static_cast<std::int32_t>(points.size());
  check_cuda(cudaMemcpyAsync(points_.data(), host_points_.data(), points.size_bytes(), cudaMemcpyHostToDevice,
                             stream),
             "copying points to the device");
  check_cuda(cudaMemcpyAsync(count_.data(), host_count_.data(), sizeof(std::int32_t), cudaMemcpyHostToDevice,
                             stream),
             "copying points to the device");
  DeviceFlow(rules).enqueue(frames_.before(), frames_.now(),
                            {points_.data(), count_.data(), 1, static_cast<int>(points.size())},
                            results_.data(), stream);
  check_cuda(cudaMemcpyAsync(host_results_.data(), results_.data(), points.size() * sizeof(FlowResult),
                             cudaMemcpyDeviceToHost, stream),
             "copying points from the device");
  frames_.wait();
  std::copy_n(host_results_.data(), points.size(), results);
}

void DeviceKeptFlow::reserve(std::size_t points) {
  host_points_.reserve(points);
  points_.reserve(points);
  host_results_.reserve(points);
  results_.reserve(points);
  host_count_.reserve(1);
  count_.reserve(1);
}

std::unique_ptr<FlowRunner> make_flow_runner_cuda(int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<DeviceFlowRunner>(device);
}

}  // namespace winnow
