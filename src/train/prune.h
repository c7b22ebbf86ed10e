// The limits of a soft cascade: after each weak classifier, the least score with which a sample goes on.
// In: the samples' final scores, then their running ones, weak classifier by weak classifier. Out: limits as
// high as the positives allow, and who is left. exact: integers. Of the positives that may be lost, the worst
// in the end are given up from the start, the others while the cascade runs, soon: a limit that rejects early
// is worth most. All limits lie a little lower than that, for the sake of objects that training has never
// seen. Of a cascade that was joined from several the first limits lie higher and the later ones much lower:
// its sum tells more than theirs did, and windows that come so far are few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

// Cascades that were joined, and how many weak classifiers the first has.
struct Joined {
  int cascades = 0, first = 0;
};

class Pruner {
 public:
  // `finals`: positives come first. Of them at least the part `min_hit` is kept.
  Pruner(const std::vector<std::int32_t>& finals, std::size_t positives, double min_hit, Joined joined = {});

  // The limit after the next weak classifiers, of what all samples' scores are then.
  std::int32_t next(const std::vector<std::int32_t>& scores, int weak = 1);

  // 1 for samples that have passed every limit so far.
  const std::vector<std::uint8_t>& alive() const { return alive_; }

 private:
  std::size_t positives_, spare_ = 0, lost_ = 0;
  Joined joined_;
  std::int64_t weak_ = 0;
  std::vector<std::uint8_t> alive_;
  std::vector<std::size_t> kept_;  // positives for whose sake limits are as low as they are
};

}  // namespace winnow
