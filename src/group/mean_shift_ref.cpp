// Merges by mean shift in plain loops, as group/mean_shift.h declares; its opening comment holds here.
#include "group/mean_shift.h"

namespace winnow {

void mean_shift_ref(std::span<const Candidate> candidates, WeightRule weight, int min_neighbors,
                    ShiftScratch& scratch, std::vector<Candidate>& objects) {
  order_points(candidates, weight, scratch);
  scratch.modes.clear();
  scratch.mode_of.assign(candidates.size(), 0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    ShiftPlace place = scratch.points[i].at;
    int object = shift_to_object(
        place,
        [&](const ShiftPlace& from) {
          ShiftSums sums;
          for (const ShiftPoint& point : scratch.points) sums.add(from, point);
          return sums;
        },
        [&](const ShiftPlace& from, double most) {
          for (std::size_t mode = 0; mode < scratch.modes.size(); ++mode) {
            if (scratch.modes[mode].distance(from) <= most) return static_cast<int>(mode);
          }
          return -1;
        });
    const auto candidate = static_cast<std::size_t>(scratch.order[i]);
    if (object < 0) {
      object = static_cast<int>(scratch.modes.size());
      scratch.modes.push_back(shift_mode(place, box_shape(candidates[candidate].box)));
    }
    scratch.mode_of[candidate] = object;
  }
  merge_modes(candidates, min_neighbors, scratch, objects);
}

}  // namespace winnow
