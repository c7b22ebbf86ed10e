#include "group/support.h"

#include <algorithm>
#include <numeric>

namespace winnow {

void keep_supported(std::span<const Candidate> candidates, int min_neighbors, SupportScratch& scratch,
                    std::vector<Candidate>& objects) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  scratch.order.resize(candidates.size());
  std::iota(scratch.order.begin(), scratch.order.end(), 0);
  std::sort(scratch.order.begin(), scratch.order.end(), [&](int a, int b) {
    const std::int64_t left = scratch.support[at(a)], right = scratch.support[at(b)];
    return left != right ? left > right : a < b;
  });
  scratch.made.clear();
  scratch.first.clear();
  for (const int candidate : scratch.order) {
    const Box& box = candidates[at(candidate)].box;
    const auto found = std::find_if(scratch.made.begin(), scratch.made.end(),
                                    [&](const Candidate& object) { return same_object(object.box, box); });
    if (found == scratch.made.end()) {
      scratch.made.push_back({box, static_cast<double>(scratch.support[at(candidate)]) / kSupportUnit, 1});
      scratch.first.push_back(candidate);
      continue;
    }
    ++found->count;
    int& first = scratch.first[static_cast<std::size_t>(found - scratch.made.begin())];
    first = std::min(first, candidate);
  }
  scratch.object_order.resize(scratch.made.size());
  std::iota(scratch.object_order.begin(), scratch.object_order.end(), 0);
  std::sort(scratch.object_order.begin(), scratch.object_order.end(),
            [&](int a, int b) { return scratch.first[at(a)] < scratch.first[at(b)]; });
  objects.clear();
  for (const int object : scratch.object_order) {
    if (scratch.made[at(object)].count > min_neighbors) objects.push_back(scratch.made[at(object)]);
  }
}

}  // namespace winnow
