// Scores windows by HOG SVMs, levels in parallel and each with SIMD, as hog/hog_steps.h declares; its opening
// comment holds here.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "base/simd.h"
#include "base/threads.h"
#include "hog/hog_grid.h"
#include "hog/hog_lanes.h"
#include "hog/hog_steps.h"
#include "model/hog_model.h"

namespace winnow {
namespace {

// Searches levels with lanes (`hog_lanes.h`), for models whose shape allows lanes (`lanes_fit`).
struct LaneLevels {
  using Scratch = HogScratch;
  explicit LaneLevels(const HogForm& form) : lanes(make_hog_lanes(form)) {}
  const HogForm& form() const { return lanes.form; }
  void search(std::span<const GrayView> planes, const Level& level, std::int64_t min_sum,
              Scratch& scratch) const {
    hog_level_cpu(lanes, planes, level, min_sum, scratch);
  }
  HogLanes lanes;
};

// Searches levels as grids of blocks (`hog_grid.h`), for models of any shape.
struct GridLevels {
  using Scratch = HogGridScratch;
  explicit GridLevels(const HogForm& of) : own(of), cell_weights(grouped_cell_weights(of)) {}
  const HogForm& form() const { return own; }
  void search(std::span<const GrayView> planes, const Level& level, std::int64_t min_sum,
              Scratch& scratch) const {
    hog_grid_level_cpu(own, cell_weights, planes, level, min_sum, scratch);
  }
  HogForm own;
  std::vector<float> cell_weights;
};

template <class Levels>
class HogSieveCpu final : public Sieve {
 public:
  HogSieveCpu(const DetectorModel& model, int threads)
      : model_(model),
        levels_(std::make_shared<const Levels>(
            make_hog_form(*dynamic_cast<const HogSvmBody&>(model.body()).model()))) {
    if (threads > 1) arena_ = std::make_unique<tbb::task_arena>(arena_threads(threads), 1);
  }
  HogSieveCpu(const DetectorModel& model, std::shared_ptr<const Levels> levels)
      : model_(model), levels_(std::move(levels)) {}

  void set_options(const SieveOptions& options) override {
    gray_ = options.gray;
    min_score_ = min_hog_score(options);
  }

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    result.survivors.clear();
    result.windows = result.weak = plan.window_count;
    result.skipped = result.flat = 0;
    take_planes(picture);
    const std::int64_t min_sum = levels_->form().min_sum(min_score_);
    // A share is one level, or several levels if the plan has more than kMostShares levels.
    const std::size_t count = plan.levels.size(), shares = std::min(count, kMostShares);
    if (scratch_.size() < shares) scratch_.resize(shares);
    const auto search = [&](std::size_t share) {
      typename Levels::Scratch& scratch = scratch_[share];
      scratch.survivors.clear();
      for (std::size_t i = share * count / shares; i < (share + 1) * count / shares; ++i)
        levels_->search(views_, plan.levels[i], min_sum, scratch);
    };
    if (arena_ != nullptr) {
      arena_->execute([&] { tbb::parallel_for(std::size_t{0}, shares, search, tbb::simple_partitioner()); });
    } else {
      for (std::size_t share = 0; share < shares; ++share) search(share);
    }
    for (std::size_t share = 0; share < shares; ++share)
      result.survivors.insert(result.survivors.end(), scratch_[share].survivors.begin(),
                              scratch_[share].survivors.end());
    result.reached.assign({plan.window_count, static_cast<std::int64_t>(result.survivors.size())});
  }

  std::string simd() const override { return simd_target(); }
  std::unique_ptr<Sieve> clone_for_thread() const override {
    return std::make_unique<HogSieveCpu>(model_, levels_);
  }

 private:
  // Makes the list of planes: grey as it is, or colours split in the order blue, green, red.
  void take_planes(const PictureView& picture) {
    views_.clear();
    if (gray_ || picture.color.data == nullptr) {
      views_.push_back(picture.gray);
      return;
    }
    split_channels_cpu(picture.color, planes_);
    for (const GrayImage& plane : planes_) views_.push_back(plane.view());
  }

  DetectorModel model_;
  std::shared_ptr<const Levels> levels_;
  std::unique_ptr<tbb::task_arena> arena_;
  static constexpr std::size_t kMostShares = 64;
  std::vector<typename Levels::Scratch> scratch_;  // one for each share
  std::vector<GrayImage> planes_;
  std::vector<GrayView> views_;
  double min_score_ = 0;
  bool gray_ = false;
};

}  // namespace

std::unique_ptr<Sieve> make_hog_sieve_cpu(const DetectorModel& model, int threads) {
  const HogShape& shape = dynamic_cast<const HogSvmBody&>(model.body()).model()->shape;
  if (lanes_fit(shape)) return std::make_unique<HogSieveCpu<LaneLevels>>(model, threads);
  return std::make_unique<HogSieveCpu<GridLevels>>(model, threads);
}

}  // namespace winnow
