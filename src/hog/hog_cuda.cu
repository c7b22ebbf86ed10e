#include "hog/hog_cuda.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "hog/hog_kernels_cuda.h"
#include "hog/hog_steps.h"
#include "model/hog_model.h"

namespace winnow {
namespace {

class HogDeviceSieve final : public DeviceSieve {
 public:
  HogDeviceSieve(const DetectorModel& model, const HogLimits& limits)
      : DeviceSieve(CountsPerStage{{1}, false}),
        form_(make_hog_form(*dynamic_cast<const HogSvmBody&>(model.body()).model())),
        limits_(limits) {
    set_min_sum(SieveOptions{});
    upload(std::span<const float>(form_.pixel), pixel_);
    upload(std::span<const float>(form_.across), across_);
    upload(std::span<const float>(form_.down), down_);
    const std::vector<std::uint32_t> pairs = hog_weight_pairs(form_);
    upload(std::span<const std::uint32_t>(pairs), weight_pairs_);
    if (hog_score_bytes(form_.shape) > kMostHogScoreBytes) return;
    const std::vector<std::int32_t> weights = hog_score_weights(form_);
    upload(std::span<const std::int32_t>(weights), score_weights_);
  }

  bool set_options(const SieveOptions& options) override {
    const std::int64_t before = min_sum_;
    set_min_sum(options);
    return min_sum_ != before;
  }

  void plan(const LevelPlan& plan, int batch, int capacity, std::span<const Wave> waves) override {
    if (!waves.empty()) throw Error(ErrorCode::kUsage, "a HOG SVM judges whole levels");
    HogLimits limits = limits_;
    // For a batch of few frames, strips are short and many. Otherwise multiprocessors would be idle.
    if (batch <= kFewFrames) limits.strip_rows = std::min(limits.strip_rows, kFewRows);
    layout_ = lay_hog(form_, plan, batch, limits);
    words_.reserve(static_cast<std::size_t>(layout_.words));
    sums_.reserve(static_cast<std::size_t>(layout_.sums));
    votes_.reserve(static_cast<std::size_t>(layout_.votes));
    upload(std::span<const HogDeviceLevel>(layout_.levels), levels_);
    upload(std::span<const HogStrip>(layout_.strips), strips_);
    upload(std::span<const HogScoreTile>(layout_.score_tiles), score_tiles_);
    plan_results(batch, capacity);
  }

  void enqueue_wave(const PyramidView& pyramid, int batch, cudaStream_t stream, int /*wave*/) const override {
    HogJob job = common();
    job.pyramid = pyramid;
    for (const HogPass& pass : layout_.passes) {
      job.pass = pass;
      job.strips = strips_.data() + pass.first_strip;
      job.score_tiles = score_tiles_.data() + pass.first_score_tile;
      for (job.first_frame = 0; job.first_frame < batch; job.first_frame += pass.frames) {
        const int frames = std::min(pass.frames, batch - job.first_frame);
        if (pass.strips > 0) {
          enqueue_strips(job, strip_weights(), frames, stream);
        } else {
          enqueue_blocks(job, frames, stream);
        }
        if (pass.score_tiles > 0) {
          enqueue_score_tiles(job, frames, stream);
        } else {
          enqueue_windows(job, frames, stream);
        }
        enqueue_survivors(job, frames, stream);
      }
    }
  }

 private:
  static constexpr int kFewFrames = 2, kFewRows = 4;

  void set_min_sum(const SieveOptions& options) { min_sum_ = form_.min_sum(min_hog_score(options)); }

  HogStripWeights strip_weights() const {
    HogStripWeights weights;
    std::copy_n(form_.across.data(), 4 * kHogStripCell, &weights.across[0][0]);
    std::copy_n(form_.down.data(), 4 * kHogStripCell, &weights.down[0][0]);
    return weights;
  }

  HogJob common() const {
    HogJob job{};
    job.shape = form_.shape;
    job.step = layout_.step;
    job.window_step = layout_.window_step;
    job.block_stride = layout_.block_stride;
    job.aligned = layout_.aligned;
    job.inside = layout_.inside;
    job.window_blocks = form_.shape.blocks();
    job.levels = levels_.data();
    job.host_levels = layout_.levels.data();
    job.pixel = pixel_.data();
    job.across = across_.data();
    job.down = down_.data();
    job.score_weights = score_weights_.data();
    job.weight_pairs = weight_pairs_.data();
    job.bins_per_degree = form_.bins_per_degree;
    job.length_offset = form_.length_offset;
    job.clip = form_.clip;
    job.shift = form_.shift;
    job.values = form_.shape.block_values();
    job.pairs = hog_pairs(form_.shape);
    job.votes = votes_.data();
    job.words = words_.data();
    job.sums = sums_.data();
    job.min_sum = min_sum_;
    job.unit = std::ldexp(1.0, -form_.score_bits);
    job.bias = form_.bias;
    job.counts = counts_to_write();
    job.survivors = survivors_to_write();
    job.counts_per_frame = counts_per_frame();
    job.capacity = capacity();
    return job;
  }

  HogForm form_;
  HogLimits limits_;
  std::int64_t min_sum_ = 0;
  HogLayout layout_;
  DeviceBuffer<float> pixel_, across_, down_;
  DeviceBuffer<std::uint32_t> weight_pairs_;
  DeviceBuffer<std::int32_t> score_weights_;
  DeviceBuffer<HogDeviceLevel> levels_;
  DeviceBuffer<HogStrip> strips_;
  DeviceBuffer<HogScoreTile> score_tiles_;
  DeviceBuffer<GradientVote> votes_;
  DeviceBuffer<std::uint32_t> words_;
  DeviceBuffer<std::int32_t> sums_;
};

}  // namespace

std::unique_ptr<DeviceSieve> make_device_hog_sieve(const DetectorModel& model, const HogLimits& limits) {
  return std::make_unique<HogDeviceSieve>(model, limits);
}

std::unique_ptr<Sieve> make_hog_sieve_cuda(const DetectorModel& model, int device, int frames,
                                           const HogLimits& limits) {
  return make_blocking_sieve([&] { return make_device_hog_sieve(model, limits); }, true, device, frames);
}

}  // namespace winnow
