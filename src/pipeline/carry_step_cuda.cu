#include <algorithm>
#include <bit>

#include "base/device/cuda_device.h"
#include "pipeline/carry_step_cuda.h"
#include "track/flow/flow_steps_cuda.h"

namespace winnow {
namespace {

// The least number of points per frame for which there is room. One more box then seldom needs another
// graph.
constexpr std::size_t kLeastPitch = 128;

}  // namespace

CarryStep::Layout CarryStep::layout() const {
  const auto frames = static_cast<std::size_t>(frames_), pitch = static_cast<std::size_t>(pitch_);
  const std::size_t counts = frames * sizeof(std::int32_t), points = 2 * counts;
  return {0, counts, points, points + frames * pitch * sizeof(FlowPlace)};
}

void CarryStep::plan(const DeviceKeptVideos& kept, const FlowRules& rules, int frames, std::size_t points) {
  const auto pitch = static_cast<int>(std::bit_ceil(std::max(points, kLeastPitch)));
  if (&kept != kept_ || kept.version() != kept_version_) ++version_;
  kept_version_ = kept.version();
  kept_ = &kept;
  const bool anew = kept.picture() != picture_ || kept.levels() != levels_ || frames > frames_;
  if (!anew && pitch <= pitch_ && rules == rules_) return;
  ++version_;
  rules_ = rules;
  pitch_ = std::max(pitch, pitch_);
  frames_ = std::max(frames, frames_);
  if (anew) {
    picture_ = {};  // stays empty if memory is short
    pyramid_.plan(kept.picture(), kept.levels(), frames_);
    picture_ = kept.picture();
    levels_ = kept.levels();
  }
  told_.reserve(layout().bytes);
  known_.reserve(layout().bytes);
  results_.reserve(static_cast<std::size_t>(frames_) * static_cast<std::size_t>(pitch_));
}

void CarryStep::set(int frame, int place, std::span<const FlowPlace> points) {
  const Layout at = layout();
  const auto i = static_cast<std::size_t>(frame);
  std::uint8_t* const told = told_.data();
  reinterpret_cast<std::int32_t*>(told + at.places)[i] = place;
  reinterpret_cast<std::int32_t*>(told + at.counts)[i] = static_cast<std::int32_t>(points.size());
  std::copy(points.begin(), points.end(),
            reinterpret_cast<FlowPlace*>(told + at.points) + i * static_cast<std::size_t>(pitch_));
}

void CarryStep::enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const {
  const Layout at = layout();
  const std::size_t used =
      at.points + static_cast<std::size_t>(count) * static_cast<std::size_t>(pitch_) * sizeof(FlowPlace);
  check_cuda(cudaMemcpyAsync(known_.data(), told_.data(), used, cudaMemcpyHostToDevice, stream),
             "copying points to the device");
  const std::uint8_t* const frames = batch.view(wish_).frames;
  pyramid_.enqueue(frames, count, stream);
  const GaussianPyramidView now = pyramid_.view(frames);
  const auto* const places = reinterpret_cast<const std::int32_t*>(known_.data() + at.places);
  const DeviceFlowLists lists{reinterpret_cast<const FlowPlace*>(known_.data() + at.points),
                              reinterpret_cast<const std::int32_t*>(known_.data() + at.counts), count, pitch_,
                              places};
  DeviceFlow(rules_).enqueue(kept_->view(), now, lists, results_.data(), stream);
  kept_->enqueue(now, places, count, stream);
}

std::span<const FlowResult> CarryStep::results(int frame) const {
  const auto i = static_cast<std::size_t>(frame);
  const auto count = reinterpret_cast<const std::int32_t*>(told_.data() + layout().counts)[i];
  return {results_.data() + i * static_cast<std::size_t>(pitch_), static_cast<std::size_t>(count)};
}

}  // namespace winnow
