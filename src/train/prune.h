// Sets the limits of a soft cascade: after each weak classifier, the least score that passes.
//
// In:     the samples' final scores, then their running scores after each weak classifier, in kScoreUnit.
// Out:    limits as high as the positives allow, and the samples that pass them.
// Exact:  integers decide. Of positives with equal final scores, the first is given up first.
// Memory: a pruner owns a byte for each sample and an index for each positive. Scores are read only during a
//         call; `alive()` lives as long as the pruner.
// Thread: one thread at a time.
//
// A fraction of the positives, 1 - `min_hit`, may be lost:
// - The positives with the lowest final scores are given up from the start: no limit must pass them.
// - The other positives are given up by the first limits, where a rejected window saves most work.
//
// Each limit lies below the scores of the positives that it must pass, by a distance called slack. The slack
// allows for objects that training has never seen, which score less than the positives. A joined cascade has
// higher first limits, because its sum separates better than a member's sum. The late limits of a joined
// cascade are much lower, because few windows reach these limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

// The number of joined cascades, and the number of weak classifiers of the first.
struct JoinShape {
  int cascades = 0, first = 0;
};

// The speeds at which positives are given up and slack grows.
struct PruneSchedule {
  // If n positives may be lost, n / `at_end` of them are given up from the start.
  std::size_t at_end;
  // The first `half_gone` weak classifiers give up half of the rest.
  std::size_t half_gone;
  // The slack grows towards `slack`, in kScoreUnit. After `half_slack` weak classifiers the slack is half as
  // large as `slack`.
  std::int32_t slack;
  int half_slack;
};
// `kSoftSchedule`: for a soft cascade that is not joined. `kBlockSchedule`: for a cascade of HOG blocks. One
// block separates better than a tree or a table, so positives are given up sooner.
extern const PruneSchedule kSoftSchedule, kBlockSchedule;

class Pruner {
 public:
  // `finals` has the final scores, positives first. At least the fraction `min_hit` of the positives passes.
  Pruner(const std::vector<std::int32_t>& finals, std::size_t positives, double min_hit,
         JoinShape joined = {}, const PruneSchedule& schedule = kSoftSchedule);

  // Returns the limit after the next `weak` weak classifiers. `scores` holds the running scores of all
  // samples after these weak classifiers.
  std::int32_t next(const std::vector<std::int32_t>& scores, int weak = 1);

  // 1 for samples that have passed every limit so far.
  const std::vector<std::uint8_t>& alive() const { return alive_; }

 private:
  std::size_t positives_, spare_ = 0, lost_ = 0;
  JoinShape joined_;
  PruneSchedule schedule_;
  std::int64_t weak_ = 0;
  std::vector<std::uint8_t> alive_;
  std::vector<std::size_t> kept_;  // positives that every limit must pass
};

}  // namespace winnow
