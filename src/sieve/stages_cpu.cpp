// Judges a picture's windows on threads with SIMD, as sieve/stages.h declares; its opening comment holds
// here.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/threads.h"
#include "sieve/lanes/sweep.h"
#include "sieve/stages.h"

namespace winnow {
namespace {

LaneGeometry geometry_for(Size window) {
  LaneGeometry g;
  g.stride = strip_stride(window);
  g.patch_width = std::max(window.width + 1, 8);
  g.patch_values = g.patch_width * (window.height + 1);
  g.bundle = kBundle;
  return g;
}

// The number of rows of windows in a job: all rows of the level for one thread, fewer for more threads. Two
// neighbouring jobs both compute the rows of pixels that their windows share, so few jobs are better.
int rows_per_job(const Level& level, Size window, int threads) {
  if (threads == 1) return level.rows;
  const int least = std::max(2 * window.height, kBandHeight) / level.step;
  return std::max(least, (level.rows + 2 * threads - 1) / (2 * threads));
}

class SieveCpu final : public Sieve {
 public:
  SieveCpu(const Cascade& cascade, std::shared_ptr<const LaneProgram> program, int threads)
      : cascade_(cascade), program_(std::move(program)), threads_(threads) {
    if (threads > 1) arena_ = std::make_unique<tbb::task_arena>(arena_threads(threads), 1);
  }

  void run(const PictureView& view, const LevelPlan& plan, SieveResult& result) override {
    const GrayView picture = view.gray;
    prepare(picture, plan);
    const auto work = [&](int worker, std::atomic<std::size_t>& next) {
      for (std::size_t i = next.fetch_add(1); i < jobs_.size(); i = next.fetch_add(1)) {
        sweep(jobs_[i], *workers_[static_cast<std::size_t>(worker)]);
      }
      if (!jobs_.empty()) finish_sweep(jobs_.front(), *workers_[static_cast<std::size_t>(worker)]);
    };
    std::atomic<std::size_t> next = 0;
    if (working_ == 1) {
      work(0, next);
    } else {
      arena_->execute([&] {
        tbb::parallel_for(
            0, working_, [&](int worker) { work(worker, next); }, tbb::simple_partitioner());
      });
    }
    collect(plan, result);
    if (threads_ > 1) {  // one worker alone may find all survivors of the next frame
      for (const auto& worker : workers_) worker->survivors.reserve(result.survivors.size());
    }
  }

  std::string simd() const override { return sweep_target(); }

  std::unique_ptr<Sieve> clone_for_thread() const override {
    return std::make_unique<SieveCpu>(cascade_, program_, 1);
  }

 private:
  void prepare(GrayView picture, const LevelPlan& plan) {
    const CascadeModel& model = cascade_.model();
    const std::size_t levels = plan.levels.size();
    if (columns_.size() < levels) columns_.resize(levels);
    jobs_.clear();
    std::size_t most_rows = 1;
    for (std::size_t l = 0; l < levels; ++l) {
      const Level& level = plan.levels[l];
      ResizeColumns& columns = columns_[l];
      if (columns.source_width != picture.width || columns.target_width != level.width) {
        make_columns(picture.width, level.width, columns);
      }
      columns.same = picture.width == level.width && picture.height == level.height;
      const int rows = rows_per_job(level, model.window, threads_);
      for (int first = 0; first < level.rows && level.cols > 0; first += rows) {
        const int last = std::min(first + rows, level.rows);
        jobs_.push_back({picture, &model, program_.get(), &level, &columns, first, last});
        most_rows = std::max(most_rows, static_cast<std::size_t>(last - first));
      }
    }
    // Large jobs run first, so that no thread is left with a large job at the end. A stable sort would
    // allocate memory, so ties are broken by level and row.
    const auto size = [](const SweepJob& j) {
      return static_cast<std::int64_t>(j.last_row - j.first_row) * j.level->cols;
    };
    std::sort(jobs_.begin(), jobs_.end(), [&](const SweepJob& a, const SweepJob& b) {
      if (size(a) != size(b)) return size(a) > size(b);
      return a.level != b.level ? a.level < b.level : a.first_row < b.first_row;
    });
    // Makes no more workers than there are jobs. If windows are thousands of pixels wide, jobs are few, and a
    // worker's planes take hundreds of megabytes.
    working_ = static_cast<int>(std::clamp<std::size_t>(jobs_.size(), 1, static_cast<std::size_t>(threads_)));
    while (workers_.size() < static_cast<std::size_t>(working_))
      workers_.push_back(std::make_unique<SweepWorker>(*program_, model.window));
    for (auto& worker : workers_) {
      if (worker->skip_next.size() < most_rows) worker->skip_next.resize(most_rows);
      worker->clear();
    }
  }

  void collect(const LevelPlan& plan, SieveResult& result) {
    result.survivors.clear();
    result.windows = plan.window_count;
    result.skipped = result.flat = result.weak = 0;
    result.reached.assign(cascade_.model().stages.size() + 1, 0);
    for (const auto& worker : workers_) {
      result.survivors.insert(result.survivors.end(), worker->survivors.begin(), worker->survivors.end());
      result.skipped += worker->skipped;
      result.flat += worker->flat;
      for (std::size_t i = 0; i < result.reached.size(); ++i) result.reached[i] += worker->reached[i];
    }
    for (std::size_t s = 0; s + 1 < result.reached.size(); ++s)
      result.weak += result.reached[s] * cascade_.model().stages[s].tree_count;
    sort_survivors(result.survivors, spare_);
  }

  Cascade cascade_;
  std::shared_ptr<const LaneProgram> program_;
  int threads_, working_ = 0;
  std::unique_ptr<tbb::task_arena> arena_;
  std::vector<std::unique_ptr<SweepWorker>> workers_;
  std::vector<ResizeColumns> columns_;
  std::vector<SweepJob> jobs_;
  std::vector<Survivor> spare_;
};

}  // namespace

std::unique_ptr<Sieve> make_sieve_cpu(const Cascade& cascade, int threads) {
  return std::make_unique<SieveCpu>(
      cascade,
      std::make_shared<const LaneProgram>(make_lane_program(cascade.model(), geometry_for(cascade.window()))),
      threads);
}

}  // namespace winnow
