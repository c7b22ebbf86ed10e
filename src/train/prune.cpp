#include "train/prune.h"

#include <algorithm>
#include <numeric>

#include <winnow/cascade_model.h>

namespace winnow {
namespace {

// Objects that training has never seen score less than its positives, and the difference grows with the sum.
// Limits therefore lie lower, in the end by this much.
constexpr std::int64_t kSlack = kScoreUnit * 9 / 5;
// How fast positives are given up and slack grows.
// - `at_end`: one in `at_end` of the positives that may be lost are those with the lowest final scores.
// - `half_gone`: half of the others may be lost after this many weak classifiers.
// - `half_slack`: half of the slack is applied after this many weak classifiers.
// The final sum of joined cascades separates better than one cascade's. So a join gives up more positives at
// the start, where that saves most.
struct Habits {
  std::size_t at_end, half_gone;
  int half_slack;
};
constexpr Habits kAlone{2, 16, 30}, kJoined{5, 4, 60};
const Habits& habits(const Joined& joined) { return joined.cascades > 1 ? kJoined : kAlone; }
// Late slack for each joined cascade, in the end this much. It begins after a quarter of the first cascade,
// at most kMostJoinedFrom weak classifiers. Half of it is applied after half as many more.
constexpr std::int64_t kJoinedSlack = kScoreUnit * 4;
constexpr int kMostJoinedFrom = 200;

}  // namespace

Pruner::Pruner(const std::vector<std::int32_t>& finals, std::size_t positives, double min_hit, Joined joined)
    : positives_(positives), joined_(joined), alive_(finals.size(), 1), kept_(positives) {
  std::iota(kept_.begin(), kept_.end(), std::size_t{0});
  const auto lost = static_cast<std::size_t>((1 - min_hit) * static_cast<double>(positives) + 1e-9);
  const std::size_t at_end = std::min(lost / habits(joined).at_end, positives - 1);
  spare_ = std::min(lost - at_end, positives - 1 - at_end);
  std::sort(kept_.begin(), kept_.end(), [&](std::size_t a, std::size_t b) {
    return finals[a] != finals[b] ? finals[a] < finals[b] : a < b;
  });
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(at_end));
}

std::int32_t Pruner::next(const std::vector<std::int32_t>& scores, int weak_now) {
  weak_ += weak_now;
  const auto weak = static_cast<std::size_t>(weak_);
  const Habits& now = habits(joined_);
  const std::size_t may = spare_ * weak / (weak + now.half_gone) - lost_;
  const auto place = kept_.begin() + static_cast<std::ptrdiff_t>(may);
  std::nth_element(kept_.begin(), place, kept_.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  const std::int32_t least = scores[*place];
  lost_ += std::erase_if(kept_, [&](std::size_t i) { return scores[i] < least; });
  const std::int64_t from = std::min(joined_.first / 4, kMostJoinedFrom);
  const std::int64_t over = std::max<std::int64_t>(weak_ - from, 0);
  const std::int64_t slack = kSlack * weak_ / (weak_ + now.half_slack),
                     late = kJoinedSlack * joined_.cascades * over /
                            (over + std::max<std::int64_t>(from / 2, 1));
  const auto limit = static_cast<std::int32_t>(least - slack - late);
  for (std::size_t i = 0; i < alive_.size(); ++i) alive_[i] &= scores[i] >= limit ? 1 : 0;
  return limit;
}

}  // namespace winnow
