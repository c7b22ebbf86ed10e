// Judges windows with a cascade of HOG blocks, levels in parallel and each with SIMD, as
// hog/blocks/block_steps.h declares; its opening comment holds here.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "base/simd.h"
#include "base/threads.h"
#include "hog/blocks/block_lanes.h"
#include "hog/blocks/block_steps.h"
#include "hog/hog_steps.h"

namespace winnow {
namespace {

class BlockSieveCpu final : public Sieve {
 public:
  BlockSieveCpu(const DetectorModel& model, std::shared_ptr<const BlockLanes> lanes, int threads)
      : model_(model), lanes_(std::move(lanes)) {
    if (threads > 1) arena_ = std::make_unique<tbb::task_arena>(arena_threads(threads), 1);
  }

  void set_options(const SieveOptions& options) override { min_score_ = min_hog_score(options); }

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    const HogCascadeModel& model = block_model(model_);
    const std::size_t stages = model.stages.size();
    take_roots(picture.gray, roots_);
    const std::int64_t min_sum = min_block_sum(model, min_score_);
    if (passed_.size() < plan.levels.size()) passed_.resize(plan.levels.size());
    if (scratch_.size() < plan.levels.size()) scratch_.resize(plan.levels.size());
    for (BlockScratch& scratch : scratch_) scratch.reached.assign(stages, 0);
    const auto search = [&](std::size_t i) {
      passed_[i].clear();
      judge_level_cpu(*lanes_, std::as_const(roots_).view(), plan.levels[i], min_sum,
                      scratch_[arena_ != nullptr ? i : 0], passed_[i]);
    };
    if (arena_ != nullptr) {
      arena_->execute(
          [&] { tbb::parallel_for(std::size_t{0}, plan.levels.size(), search, tbb::simple_partitioner()); });
    } else {
      for (std::size_t i = 0; i < plan.levels.size(); ++i) search(i);
    }
    result.windows = plan.window_count;
    result.skipped = result.flat = result.weak = 0;
    result.reached.assign(stages + 1, 0);
    for (const BlockScratch& scratch : scratch_) {
      for (std::size_t s = 0; s < stages; ++s) {
        result.reached[s] += scratch.reached[s];
        result.weak += scratch.reached[s];
      }
    }
    result.survivors.clear();
    for (std::size_t i = 0; i < plan.levels.size(); ++i) {
      for (const PassedWindow& window : passed_[i])
        result.survivors.push_back({window.window, block_score(model, window.sum)});
    }
    result.reached.back() = static_cast<std::int64_t>(result.survivors.size());
  }

  std::string simd() const override { return simd_target(); }
  std::unique_ptr<Sieve> clone_for_thread() const override {
    return std::make_unique<BlockSieveCpu>(model_, lanes_, 1);
  }

 private:
  DetectorModel model_;
  std::shared_ptr<const BlockLanes> lanes_;
  std::unique_ptr<tbb::task_arena> arena_;
  std::vector<BlockScratch> scratch_;              // one per level; a single thread uses only the first
  std::vector<std::vector<PassedWindow>> passed_;  // one per level
  GrayImage roots_;
  double min_score_ = 0;
};

}  // namespace

std::unique_ptr<Sieve> make_block_sieve_cpu(const DetectorModel& model, int threads) {
  return std::make_unique<BlockSieveCpu>(
      model, std::make_shared<const BlockLanes>(make_block_lanes(block_model(model))), threads);
}

}  // namespace winnow
