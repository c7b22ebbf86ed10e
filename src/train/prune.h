// Sets the limits of a soft cascade: after each weak classifier, the least score that passes.
//
// In:     the samples' final scores, then their scores after each weak classifier. Unit: 1 / kScoreUnit.
// Out:    limits as high as the positives allow, and the samples that pass them.
// Exact:  integers decide. Among positives with equal final scores, the one with the lowest index is given up
//         first.
// Memory: a `Pruner` owns a byte for each sample and an index for each positive. Scores are read only during
//         a call. The list `alive()` is valid as long as the `Pruner` lives.
// Thread: one thread at a time.
//
// A fraction of the positives, 1 - `min_hit`, may be lost:
// - The positives with the lowest final scores are given up from the start: the limits need not pass them.
// - The first limits give up the rest of this fraction, because an early reject saves most work.
//
// Each limit lies below the scores of the positives that it must pass, by a distance called slack. The slack
// is there for objects that training has never seen, which score less than the positives. The first limits of
// a joined cascade are higher, because its final sum separates better than the sum of one member. The late
// limits of a joined cascade are much lower, because few windows reach them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

// The number of joined cascades, and the number of weak classifiers in the first of them.
struct JoinShape {
  int cascades = 0, first = 0;
};

// The speeds at which positives are given up and slack grows.
struct PruneSchedule {
  // If n positives may be lost, n / `at_end` of them are given up from the start.
  std::size_t at_end;
  // The first `half_gone` weak classifiers give up half of the rest.
  std::size_t half_gone;
  // The slack grows towards `slack`, in units of 1 / kScoreUnit. After `half_slack` weak classifiers the
  // slack is half as large as `slack`.
  std::int32_t slack;
  int half_slack;
};
// `kSoftSchedule`: for a soft cascade that is not joined. `kBlockSchedule`: for a cascade of HOG blocks. A
// block separates better than a tree or a table, so `kBlockSchedule` gives up positives sooner.
extern const PruneSchedule kSoftSchedule, kBlockSchedule;

class Pruner {
 public:
  // `finals` has the samples' final scores, positives first. The limits pass at least the fraction `min_hit`
  // of the positives.
  Pruner(const std::vector<std::int32_t>& finals, std::size_t positives, double min_hit,
         JoinShape joined = {}, const PruneSchedule& schedule = kSoftSchedule);

  // Returns the limit that stands after the next `weak` weak classifiers. `scores` holds the running scores
  // of all samples after these weak classifiers.
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
