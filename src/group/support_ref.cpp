// Merges by support in plain loops, as group/support.h declares; its opening comment holds here.
#include "group/support.h"

namespace winnow {

void support_ref(std::span<const Candidate> candidates, double floor, int min_neighbors,
                 SupportScratch& scratch, std::vector<Candidate>& objects) {
  scratch.support.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::int64_t sum = std::llrint(support_weight(candidates[i].score, floor) * kSupportUnit);
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (j == i) continue;
      sum += support_units(support_weight(candidates[j].score, floor),
                           mutual_support(candidates[i].box, candidates[j].box));
    }
    scratch.support.push_back(sum);
  }
  keep_supported(candidates, min_neighbors, scratch, objects);
}

}  // namespace winnow
