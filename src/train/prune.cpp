#include "train/prune.h"

#include <algorithm>
#include <numeric>

#include <winnow/cascade_model.h>

namespace winnow {
namespace {

// The schedule of a joined cascade, whose final sum separates better than the sum of a single cascade. Its
// first limits therefore give up more positives, because an early reject saves most work.
constexpr PruneSchedule kJoinSchedule{5, 4, kScoreUnit * 9 / 5, 60};
// A joined cascade has a second slack, for late limits. This slack grows towards kJoinedSlack times the
// number of cascades. Let `from` be a quarter of the first cascade's weak classifiers, but at most
// kMostJoinedFrom. The second slack begins after `from` weak classifiers and reaches half of its full size
// after `from` / 2 more.
constexpr std::int64_t kJoinedSlack = kScoreUnit * 4;
constexpr int kMostJoinedFrom = 200;

}  // namespace

// Objects that training has never seen score less than the positives. The difference grows with the number of
// weak classifiers, and the slack makes up for this difference.
const PruneSchedule kSoftSchedule{2, 16, kScoreUnit * 9 / 5, 30};
const PruneSchedule kBlockSchedule{20, 1, kScoreUnit * 16, 1200};

Pruner::Pruner(const std::vector<std::int32_t>& finals, std::size_t positives, double min_hit,
               JoinShape joined, const PruneSchedule& schedule)
    : positives_(positives),
      joined_(joined),
      schedule_(joined.cascades > 1 ? kJoinSchedule : schedule),
      alive_(finals.size(), 1),
      kept_(positives) {
  std::iota(kept_.begin(), kept_.end(), std::size_t{0});
  const auto lost = static_cast<std::size_t>((1 - min_hit) * static_cast<double>(positives) + 1e-9);
  const std::size_t at_end = std::min(lost / schedule_.at_end, positives - 1);
  spare_ = std::min(lost - at_end, positives - 1 - at_end);
  std::sort(kept_.begin(), kept_.end(), [&](std::size_t a, std::size_t b) {
    return finals[a] != finals[b] ? finals[a] < finals[b] : a < b;
  });
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(at_end));
}

std::int32_t Pruner::next(const std::vector<std::int32_t>& scores, int weak_now) {
  weak_ += weak_now;
  const auto weak = static_cast<std::size_t>(weak_);
  const std::size_t may = spare_ * weak / (weak + schedule_.half_gone) - lost_;
  const auto place = kept_.begin() + static_cast<std::ptrdiff_t>(may);
  std::nth_element(kept_.begin(), place, kept_.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  const std::int32_t min_score = scores[*place];
  lost_ += std::erase_if(kept_, [&](std::size_t i) { return scores[i] < min_score; });
  const std::int64_t from = std::min(joined_.first / 4, kMostJoinedFrom);
  const std::int64_t over = std::max<std::int64_t>(weak_ - from, 0);
  const std::int64_t slack = schedule_.slack * weak_ / (weak_ + schedule_.half_slack),
                     late = kJoinedSlack * joined_.cascades * over /
                            (over + std::max<std::int64_t>(from / 2, 1));
  const auto limit = static_cast<std::int32_t>(min_score - slack - late);
  for (std::size_t i = 0; i < alive_.size(); ++i) alive_[i] &= scores[i] >= limit ? 1 : 0;
  return limit;
}

}  // namespace winnow
