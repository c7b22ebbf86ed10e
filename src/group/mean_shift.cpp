// Holds the first and the last step of mean shift, which `mean_shift_ref` and `mean_shift_cpu` share.
#include "group/mean_shift.h"

#include <algorithm>
#include <numeric>

namespace winnow {

void order_points(std::span<const Candidate> candidates, WeightRule weight, ShiftScratch& scratch) {
  scratch.unsorted.clear();
  for (const Candidate& candidate : candidates)
    scratch.unsorted.push_back(shift_point(candidate.box, candidate.score, weight));
  scratch.order.resize(candidates.size());
  std::iota(scratch.order.begin(), scratch.order.end(), 0);
  const auto at = [&](int i) -> const ShiftPlace& {
    return scratch.unsorted[static_cast<std::size_t>(i)].at;
  };
  std::sort(scratch.order.begin(), scratch.order.end(),
            [&](int a, int b) { return shifts_before(at(a), a, at(b), b); });
  scratch.points.clear();
  for (const int i : scratch.order) scratch.points.push_back(scratch.unsorted[static_cast<std::size_t>(i)]);
}

void merge_modes(std::span<const Candidate> candidates, int min_neighbors, ShiftScratch& scratch,
                 std::vector<Candidate>& objects) {
  // Objects are numbered in the order of their first candidates.
  auto& place_of = scratch.place_of;
  auto& merged = scratch.merged;
  place_of.assign(scratch.modes.size(), -1);
  merged.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto mode = static_cast<std::size_t>(scratch.mode_of[i]);
    if (place_of[mode] < 0) {
      place_of[mode] = static_cast<int>(merged.size());
      merged.push_back({scratch.modes[mode].box(), candidates[i].score, 0});
    }
    Candidate& object = merged[static_cast<std::size_t>(place_of[mode])];
    object.score = std::max(object.score, candidates[i].score);
    ++object.count;
  }
  objects.clear();
  for (const Candidate& object : merged) {
    if (object.count > min_neighbors) objects.push_back(object);
  }
}

}  // namespace winnow
