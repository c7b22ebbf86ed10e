// Sets the limits of a soft cascade: after each weak classifier, the least score that passes.
//
// In:     the samples' final scores, then their running scores after each weak classifier, in kScoreUnit.
// Out:    limits as high as the positives allow, and the samples that pass them.
// Exact:  integers decide. Of positives with equal final scores, the first is given up first.
// Memory: a pruner owns a byte for each sample and an index for each positive.
// Thread: one thread at a time.
//
// The part 1 - `min_hit` of the positives may be lost. Some of these, the lowest at the end, are given up
// from the start. The others are given up soon after the start, where a limit saves most.
// Every limit then lies a little lower, because objects that training has never seen score less.
// A joined cascade has higher first limits, since its sum tells more than its members' sums. Its late limits
// lie much lower, since few windows reach them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

// The number of joined cascades, and the number of weak classifiers of the first.
struct Joined {
  int cascades = 0, first = 0;
};

// How fast positives are given up and slack grows.
struct PruneHabits {
  // One in `at_end` of the positives that may be lost are those with the lowest final scores.
  std::size_t at_end;
  // Half of the others may be lost after this many weak classifiers.
  std::size_t half_gone;
  // Every limit lies lower by a part of `slack`, in kScoreUnit: half of it after `half_slack` weak
  // classifiers, nearly all of it in the end.
  std::int32_t slack;
  int half_slack;
};
extern const PruneHabits kAlone, kBlocks;  // of a soft cascade; of HOG blocks, which tell more each

class Pruner {
 public:
  // `finals` has the final scores, positives first. At least the part `min_hit` of the positives passes.
  Pruner(const std::vector<std::int32_t>& finals, std::size_t positives, double min_hit, Joined joined = {},
         const PruneHabits& habits = kAlone);

  // Returns the limit after the next `weak` weak classifiers. `scores` has all samples' scores after these.
  std::int32_t next(const std::vector<std::int32_t>& scores, int weak = 1);

  // 1 for samples that have passed every limit so far.
  const std::vector<std::uint8_t>& alive() const { return alive_; }

 private:
  std::size_t positives_, spare_ = 0, lost_ = 0;
  Joined joined_;
  PruneHabits habits_;
  std::int64_t weak_ = 0;
  std::vector<std::uint8_t> alive_;
  std::vector<std::size_t> kept_;  // positives that every limit must pass
};

}  // namespace winnow
