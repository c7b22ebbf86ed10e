// Merges by mean shift, and skips chunks of candidates and objects beyond the radius, as group/mean_shift.h
// declares; its opening comment holds here.
//
// The order of `shifts_before` keeps near candidates together. So 16 neighbours form a chunk, and 16 chunks
// form a large chunk. Each chunk has bounds. `shift_distance` never falls if a difference grows. So the
// distance to the bounds is at most the distance to each point inside, to the last bit. A skipped point
// therefore lies beyond the radius, and the same points are summed as in `reference`.
#include <algorithm>
#include <cstddef>

#include "group/mean_shift.h"

namespace winnow {
namespace {

constexpr std::size_t kChunk = 16;  // points of a chunk, and chunks of a large chunk

ShiftBounds bounds_of(const ShiftPlace& at, double across, double down) { return {at, at, across, down}; }

void take_in(ShiftBounds& bounds, const ShiftPlace& at, double across, double down) {
  ShiftPlace &least = bounds.least, &most = bounds.most;
  least = {std::min(least.x, at.x), std::min(least.y, at.y), std::min(least.size, at.size)};
  most = {std::max(most.x, at.x), std::max(most.y, at.y), std::max(most.size, at.size)};
  bounds.across = std::min(bounds.across, across);
  bounds.down = std::min(bounds.down, down);
}

// A list of points or objects with the bounds of its chunks and large chunks.
template <class Item>
class Chunks {
 public:
  Chunks(const std::vector<Item>& items, std::vector<ShiftBounds> (&bounds)[2], std::int64_t& comparisons)
      : items_(items), bounds_(bounds), comparisons_(comparisons) {
    for (auto& list : bounds_) list.clear();
    for (std::size_t i = 0; i < items.size(); ++i) add(i);
  }

  // Adds the item at `i` to the bounds of its chunks. Items are added in rising order of `i`.
  void add(std::size_t i) {
    const Item& item = items_[i];
    std::size_t of_chunk = kChunk;
    for (auto& list : bounds_) {
      if (i % of_chunk == 0) {
        list.push_back(bounds_of(item.at, item.across, item.down));
      } else {
        take_in(list.back(), item.at, item.across, item.down);
      }
      of_chunk *= kChunk;
    }
  }

  // Calls `visit(i)` in rising order for each item that may lie within `most`, a squared distance. Other
  // items of the same chunk are visited, too. Ends when `visit` returns false.
  template <class Visit>
  void visit_near(const ShiftPlace& from, double most, Visit visit) const {
    for (std::size_t large = 0; large < bounds_[1].size(); ++large) {
      if (outside_radius(from, bounds_[1][large], most)) continue;
      const std::size_t last = std::min(bounds_[0].size(), (large + 1) * kChunk);
      for (std::size_t chunk = large * kChunk; chunk < last; ++chunk) {
        if (outside_radius(from, bounds_[0][chunk], most)) continue;
        const std::size_t end = std::min(items_.size(), (chunk + 1) * kChunk);
        for (std::size_t i = chunk * kChunk; i < end; ++i) {
          ++comparisons_;
          if (!visit(i)) return;
        }
      }
    }
  }

 private:
  bool outside_radius(const ShiftPlace& from, const ShiftBounds& bounds, double most) const {
    ++comparisons_;
    const ShiftPlace &least = bounds.least, &far = bounds.most;
    const double x = std::max({least.x - from.x, from.x - far.x, 0.0}),
                 y = std::max({least.y - from.y, from.y - far.y, 0.0}),
                 size = std::max({least.size - from.size, from.size - far.size, 0.0});
    return shift_distance(x, y, size, bounds.across, bounds.down) > most;
  }

  const std::vector<Item>& items_;
  std::vector<ShiftBounds> (&bounds_)[2];
  std::int64_t& comparisons_;
};

}  // namespace

void mean_shift_cpu(std::span<const Candidate> candidates, WeightRule weight, int min_neighbors,
                    ShiftScratch& scratch, std::vector<Candidate>& objects) {
  scratch.comparisons = 0;
  order_points(candidates, weight, scratch);
  scratch.modes.clear();
  scratch.mode_of.assign(candidates.size(), 0);
  const Chunks points(scratch.points, scratch.bounds, scratch.comparisons);
  Chunks modes(scratch.modes, scratch.mode_bounds, scratch.comparisons);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    ShiftPlace place = scratch.points[i].at;
    int object = shift_to_object(
        place,
        [&](const ShiftPlace& from) {
          ShiftSums sums;
          points.visit_near(from, kSquaredShiftRadius, [&](std::size_t at) {
            sums.add(from, scratch.points[at]);
            return true;
          });
          return sums;
        },
        [&](const ShiftPlace& from, double most) {
          int found = -1;
          modes.visit_near(from, most, [&](std::size_t at) {
            if (scratch.modes[at].distance(from) <= most) found = static_cast<int>(at);
            return found < 0;
          });
          return found;
        });
    const auto candidate = static_cast<std::size_t>(scratch.order[i]);
    if (object < 0) {
      object = static_cast<int>(scratch.modes.size());
      scratch.modes.push_back(shift_mode(place, box_shape(candidates[candidate].box)));
      modes.add(scratch.modes.size() - 1);
    }
    scratch.mode_of[candidate] = object;
  }
  merge_modes(candidates, min_neighbors, scratch, objects);
}

}  // namespace winnow
