// The sieve of the cpu backend for histograms of oriented gradients: levels in parallel, each with SIMD.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "base/simd.h"
#include "base/threads.h"
#include "hog/hog_lanes.h"
#include "hog/hog_steps.h"
#include "model/hog_model.h"

namespace winnow {
namespace {

class HogSieveCpu final : public Sieve {
 public:
  HogSieveCpu(const DetectorModel& model, int threads)
      : model_(model),
        lanes_(std::make_shared<const HogLanes>(
            make_hog_lanes(make_hog_form(*dynamic_cast<const HogSvmBody&>(model.body()).model())))) {
    if (threads > 1) arena_ = std::make_unique<tbb::task_arena>(arena_threads(threads), 1);
  }
  HogSieveCpu(const DetectorModel& model, std::shared_ptr<const HogLanes> lanes)
      : model_(model), lanes_(std::move(lanes)) {}

  void set_options(const SieveOptions& options) override {
    gray_ = options.gray;
    least_ = least_hog_score(options);
  }

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    result.survivors.clear();
    result.windows = result.weak = plan.window_count;
    result.skipped = result.flat = 0;
    take_planes(picture);
    const std::int64_t least = lanes_->form.least_whole(least_);
    if (scratch_.size() < plan.levels.size()) scratch_.resize(plan.levels.size());
    const auto search = [&](std::size_t i) {
      scratch_[i].survivors.clear();
      hog_level_cpu(*lanes_, views_, plan.levels[i], least, scratch_[i]);
    };
    if (arena_ != nullptr) {
      arena_->execute(
          [&] { tbb::parallel_for(std::size_t{0}, plan.levels.size(), search, tbb::simple_partitioner()); });
    } else {
      for (std::size_t i = 0; i < plan.levels.size(); ++i) search(i);
    }
    for (std::size_t i = 0; i < plan.levels.size(); ++i)
      result.survivors.insert(result.survivors.end(), scratch_[i].survivors.begin(),
                              scratch_[i].survivors.end());
    result.reached.assign({plan.window_count, static_cast<std::int64_t>(result.survivors.size())});
  }

  std::string simd() const override { return simd_target(); }
  std::unique_ptr<Sieve> clone_for_thread() const override {
    return std::make_unique<HogSieveCpu>(model_, lanes_);
  }

 private:
  // Grey as it is; colour as planes in the order blue, green, red.
  void take_planes(const PictureView& picture) {
    views_.clear();
    if (gray_ || picture.color.data == nullptr) {
      views_.push_back(picture.gray);
      return;
    }
    split_channels(picture.color, planes_);
    for (const GrayImage& plane : planes_) views_.push_back(plane.view());
  }

  DetectorModel model_;
  std::shared_ptr<const HogLanes> lanes_;
  std::unique_ptr<tbb::task_arena> arena_;
  std::vector<HogScratch> scratch_;
  std::vector<GrayImage> planes_;
  std::vector<GrayView> views_;
  double least_ = 0;
  bool gray_ = false;
};

}  // namespace

std::unique_ptr<Sieve> make_hog_sieve_cpu(const DetectorModel& model, int threads) {
  const HogShape& shape = dynamic_cast<const HogSvmBody&>(model.body()).model()->shape;
  if (!lanes_fit(shape)) return make_hog_sieve_ref(model);
  return std::make_unique<HogSieveCpu>(model, threads);
}

}  // namespace winnow
