#include <algorithm>

#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {

void merge_labels(std::span<const Candidate> candidates, int groups, int min_neighbors, double eps,
                  GroupScratch& scratch, std::vector<Candidate>& objects) {
  // Sums in 64 bits: a hundred thousand boxes at x = 16,000 no longer fit in 32.
  auto& sums = scratch.sums;
  auto& merged = scratch.groups;
  sums.assign(static_cast<std::size_t>(groups) * 4, 0);
  merged.assign(static_cast<std::size_t>(groups), Candidate{{}, 0, 0});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const int g = scratch.label[i];
    const Box& box = candidates[i].box;
    std::int64_t* sum = &sums[static_cast<std::size_t>(g) * 4];
    sum[0] += box.x;
    sum[1] += box.y;
    sum[2] += box.width;
    sum[3] += box.height;
    Candidate& group = merged[static_cast<std::size_t>(g)];
    group.score = group.count == 0 ? candidates[i].score : std::max(group.score, candidates[i].score);
    ++group.count;
  }
  std::size_t kept = 0;  // groups that are large enough, moved to the front in their order
  for (int g = 0; g < groups; ++g) {
    Candidate& group = merged[static_cast<std::size_t>(g)];
    if (group.count <= min_neighbors) continue;
    const std::int64_t* sum = &sums[static_cast<std::size_t>(g) * 4];
    group.box = {group_mean(sum[0], group.count), group_mean(sum[1], group.count),
                 group_mean(sum[2], group.count), group_mean(sum[3], group.count)};
    merged[kept++] = group;
  }
  merged.resize(kept);
  objects.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    const bool gone = std::any_of(merged.begin(), merged.end(), [&](const Candidate& other) {
      return &other != &merged[i] && swallowed(merged[i].box, merged[i].count, other.box, other.count, eps);
    });
    if (!gone) objects.push_back(merged[i]);
  }
}

}  // namespace winnow
