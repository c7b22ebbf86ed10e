// Adds up goals with SIMD and threads, as shape/shape_learner.h declares; its opening comment holds here.
//
// A thread takes a chunk of samples and sorts it by nodes. Each split of a node has a mask for each sample in
// that node. A sample's goals stay in registers while they are added to the sums of all splits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "shape/shape_learner_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "base/threads.h"
#include "shape/shape_learner.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of goals and sums consist of whole vectors on every SIMD target.
using D = hn::CappedTag<std::int32_t, 16>;
using V = hn::Vec<D>;

HWY_INLINE V LoadGoals(D d, const std::int32_t* goals) {
  return hn::Min(hn::Max(hn::LoadU(d, goals), hn::Set(d, -kMostGoal)), hn::Set(d, kMostGoal));
}

// Adds the goals of some samples to the sums of their node's splits. `rows`: where the samples' goals begin.
// `masks`: for each sample and split -1 if the sample goes left, else 0.
void AddGoals(const std::int32_t* HWY_RESTRICT goals, const std::uint32_t* HWY_RESTRICT rows,
              std::size_t count, const std::int32_t* HWY_RESTRICT masks, std::size_t splits,
              std::size_t pitch, std::int32_t* HWY_RESTRICT sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= pitch; i += 4 * lanes) {
    for (std::size_t r = 0; r < count; ++r) {
      const std::int32_t* const row = goals + rows[r] + i;
      const V g0 = LoadGoals(d, row), g1 = LoadGoals(d, row + lanes), g2 = LoadGoals(d, row + 2 * lanes),
              g3 = LoadGoals(d, row + 3 * lanes);
      for (std::size_t s = 0; s < splits; ++s) {
        const V mask = hn::Set(d, masks[r * splits + s]);
        std::int32_t* const sum = sums + s * pitch + i;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), hn::And(g0, mask)), d, sum);
        hn::StoreU(hn::Add(hn::LoadU(d, sum + lanes), hn::And(g1, mask)), d, sum + lanes);
        hn::StoreU(hn::Add(hn::LoadU(d, sum + 2 * lanes), hn::And(g2, mask)), d, sum + 2 * lanes);
        hn::StoreU(hn::Add(hn::LoadU(d, sum + 3 * lanes), hn::And(g3, mask)), d, sum + 3 * lanes);
      }
    }
  }
  for (; i < pitch; i += lanes) {
    for (std::size_t r = 0; r < count; ++r) {
      const V goal = LoadGoals(d, goals + rows[r] + i);
      for (std::size_t s = 0; s < splits; ++s) {
        std::int32_t* const sum = sums + s * pitch + i;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), hn::And(goal, hn::Set(d, masks[r * splits + s]))), d, sum);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(AddGoals);

constexpr std::size_t kRowNumbers = 16;  // the length of a row is a multiple of this

// The lists of one thread.
struct LearnerScratch {
  std::vector<std::int32_t> sums;  // sums of one chunk, split by split
  std::vector<std::int32_t> masks;
  std::vector<std::uint32_t> order, rows;  // the samples of a chunk, sorted by nodes
  std::vector<std::uint32_t> begins;       // for each node, where its samples begin
  std::vector<std::int32_t> counts;        // of all chunks that the thread took
  std::vector<std::int64_t> totals;
};

class CpuLearner final : public ShapeLearner {
 public:
  explicit CpuLearner(int threads)
      : arena_(arena_threads(threads)), scratch_(static_cast<std::size_t>(arena_threads(threads))) {}

  void begin(const ShapeSamples& samples) override {
    samples_ = samples;
    const auto values = static_cast<std::size_t>(samples.values);
    pitch_ = (values + kRowNumbers - 1) / kRowNumbers * kRowNumbers;
    goals_.assign(samples.count * pitch_, 0);
    for (std::size_t i = 0; i < samples.count; ++i)
      std::copy_n(samples.goals.data() + i * values, values, goals_.data() + i * pitch_);
    node_.assign(samples.count, 0);
  }

  void try_splits(int level, std::span<const VisitSplit> splits, SplitSums& sums) override {
    const std::size_t values = static_cast<std::size_t>(samples_.values), nodes = std::size_t{1} << level;
    for (LearnerScratch& scratch : scratch_) {
      scratch.counts.assign(splits.size(), 0);
      scratch.totals.assign(splits.size() * pitch_, 0);
    }
    share_chunks([&](std::size_t thread, std::size_t first, std::size_t count) {
      add_chunk(first, count, nodes, splits, scratch_[thread]);
    });
    sums.counts.assign(splits.size(), 0);
    sums.sums.assign(splits.size() * values, 0);
    for (const LearnerScratch& scratch : scratch_) {
      for (std::size_t s = 0; s < splits.size(); ++s) {
        sums.counts[s] += scratch.counts[s];
        for (std::size_t k = 0; k < values; ++k) sums.sums[s * values + k] += scratch.totals[s * pitch_ + k];
      }
    }
  }

  void split(std::span<const VisitSplit> chosen) override {
    share_chunks([&](std::size_t, std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i) {
        const VisitSplit& split = chosen[node_[i]];
        node_[i] = static_cast<std::uint8_t>(2 * node_[i] + (difference(split, i) > split.threshold ? 0 : 1));
      }
    });
  }

  void add_leaves(std::span<const std::int16_t> numbers) override {
    const auto values = static_cast<std::size_t>(samples_.values);
    share_chunks([&](std::size_t, std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i) {
        const std::int16_t* const leaf = numbers.data() + node_[i] * values;
        std::int32_t* const goal = goals_.data() + i * pitch_;
        for (std::size_t k = 0; k < values; ++k) goal[k] -= leaf[k];
        node_[i] = 0;
      }
    });
  }

  void goals(std::span<std::int32_t> goals) override {
    const auto values = static_cast<std::size_t>(samples_.values);
    for (std::size_t i = 0; i < samples_.count; ++i)
      std::copy_n(goals_.data() + i * pitch_, values, goals.data() + i * values);
  }

 private:
  // Calls `work` for each chunk of samples, on all threads. A thread that is done takes the next chunk. The
  // arena keeps its threads from call to call: starting threads would take as long as the work of a call.
  template <class Work>
  void share_chunks(Work work) {
    const std::size_t chunks = (samples_.count + kGoalsIn32Bits - 1) / kGoalsIn32Bits;
    std::atomic<std::size_t> next{0};
    arena_.execute([&] {
      tbb::parallel_for(
          std::size_t{0}, std::min(scratch_.size(), chunks),
          [&](std::size_t share) {
            for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
              const std::size_t first = chunk * kGoalsIn32Bits;
              work(share, first, std::min(kGoalsIn32Bits, samples_.count - first));
            }
          },
          tbb::simple_partitioner());
    });
  }

  int difference(const VisitSplit& split, std::size_t sample) const {
    return static_cast<int>(samples_.pixel[split.first * samples_.count + sample]) -
           static_cast<int>(samples_.pixel[split.second * samples_.count + sample]);
  }

  void sort_chunk(std::size_t first, std::size_t count, std::size_t nodes, LearnerScratch& scratch) const {
    scratch.begins.assign(nodes + 1, 0);
    for (std::size_t i = first; i < first + count; ++i) ++scratch.begins[node_[i] + 1U];
    for (std::size_t n = 0; n < nodes; ++n) scratch.begins[n + 1] += scratch.begins[n];
    scratch.order.resize(count);
    scratch.rows.resize(count);
    std::vector<std::uint32_t>& at = scratch.begins;  // `at[n]` moves to the end of node n's samples
    for (std::size_t i = first; i < first + count; ++i) {
      const std::uint32_t place = at[node_[i]]++;
      scratch.order[place] = static_cast<std::uint32_t>(i);
      scratch.rows[place] = static_cast<std::uint32_t>(i * pitch_);
    }
    for (std::size_t n = nodes; n > 0; --n) at[n] = at[n - 1];
    at[0] = 0;
  }

  void add_chunk(std::size_t first, std::size_t count, std::size_t nodes, std::span<const VisitSplit> splits,
                 LearnerScratch& scratch) const {
    const std::size_t tries = splits.size() / nodes;
    sort_chunk(first, count, nodes, scratch);
    scratch.masks.resize(count * tries);
    scratch.sums.resize(tries * pitch_);
    for (std::size_t node = 0; node < nodes; ++node) {
      const std::size_t begin = scratch.begins[node], size = scratch.begins[node + 1] - begin;
      if (size == 0) continue;
      for (std::size_t t = 0; t < tries; ++t) {
        const VisitSplit& split = splits[node * tries + t];
        std::int32_t left = 0;
        for (std::size_t r = 0; r < size; ++r) {
          const std::int32_t mask =
              -static_cast<std::int32_t>(difference(split, scratch.order[begin + r]) > split.threshold);
          scratch.masks[r * tries + t] = mask;
          left -= mask;
        }
        scratch.counts[node * tries + t] += left;
      }
      std::fill(scratch.sums.begin(), scratch.sums.end(), 0);
      HWY_DYNAMIC_DISPATCH(AddGoals)
      (goals_.data(), scratch.rows.data() + begin, size, scratch.masks.data(), tries, pitch_,
       scratch.sums.data());
      std::int64_t* const totals = scratch.totals.data() + node * tries * pitch_;
      for (std::size_t i = 0; i < tries * pitch_; ++i) totals[i] += scratch.sums[i];
    }
  }

  tbb::task_arena arena_;
  ShapeSamples samples_;
  std::size_t pitch_ = 0;  // numbers from one sample's goals to the next
  std::vector<std::int32_t> goals_;
  std::vector<std::uint8_t> node_;
  std::vector<LearnerScratch> scratch_;
};

}  // namespace

std::unique_ptr<ShapeLearner> make_shape_learner_cpu(int threads) {
  return std::make_unique<CpuLearner>(threads);
}

}  // namespace winnow
#endif
