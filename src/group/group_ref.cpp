// Groups candidates by comparing all pairs, as group/group.h declares; its opening comment holds here.
#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {

void group_ref(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects) {
  const int n = static_cast<int>(candidates.size());
  if (min_neighbors <= 0) {
    objects.assign(candidates.begin(), candidates.end());
    return;
  }
  // Grows each group from its first member until no other box is similar to a member.
  scratch.label.assign(candidates.size(), -1);
  int groups = 0;
  std::vector<int> open;
  for (int first = 0; first < n; ++first) {
    if (scratch.label[first] >= 0) continue;
    open.assign(1, first);
    scratch.label[first] = groups;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (int other = 0; other < n; ++other) {
        if (scratch.label[other] < 0 && similar(candidates[at].box, candidates[other].box, eps)) {
          scratch.label[other] = groups;
          open.push_back(other);
        }
      }
    }
    ++groups;
  }
  merge_labels(candidates, groups, min_neighbors, eps, scratch, objects);
}

}  // namespace winnow
