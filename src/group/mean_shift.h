// Merges candidates into objects by mean shift: each candidate climbs to a peak of the candidates' density.
//
// In:     candidates, the rule for their weights, and the number of candidates that an object must exceed.
//         The candidates' own `count` is not read.
// Out:    objects in the order of their first candidate, each with the peak's box, the largest score of its
//         candidates and their number. `objects` is overwritten, and must not be the list that holds the
//         candidates.
// Exact:  equal on every backend. A device's candidates are merged on the host, by `mean_shift_cpu`.
// Memory: the caller owns lists and scratch. `mean_shift_cpu` allocates only for more candidates than scratch
//         and list held before. `mean_shift_ref` allocates in each call.
// Thread: one thread per `ShiftScratch`.
// Cost:   up to 100 steps for each candidate. A step of `mean_shift_ref` reads all candidates. A step of
//         `mean_shift_cpu` reads the bounds of every 256 candidates, and then only the candidates that may
//         lie within the radius.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/plan_rules.h>

#include "group/group.h"
#include "group/mean_shift_rule.h"

namespace winnow {

// Bounds of neighbouring points or objects: the extreme coordinates, and the largest bandwidths.
struct ShiftBounds {
  ShiftPlace least, most;
  double across = 0, down = 0;  // the smallest inverse bandwidths
};

// Buffers of one thread.
struct ShiftScratch {
  std::vector<int> order;  // candidates in the order of `shifts_before`
  std::vector<ShiftPoint> unsorted, points;
  std::vector<ShiftBounds> bounds[2], mode_bounds[2];
  std::vector<ShiftMode> modes;
  std::vector<int> mode_of, place_of;
  std::vector<Candidate> merged;
  std::int64_t comparisons = 0;  // points, objects and bounds that the last `mean_shift_cpu` compared
};

void mean_shift_ref(std::span<const Candidate> candidates, WeightRule weight, int min_neighbors,
                    ShiftScratch& scratch, std::vector<Candidate>& objects);
void mean_shift_cpu(std::span<const Candidate> candidates, WeightRule weight, int min_neighbors,
                    ShiftScratch& scratch, std::vector<Candidate>& objects);

// The functions that `mean_shift_ref` and `mean_shift_cpu` share. `order_points` fills `order` and `points`.
// `merge_modes` makes the objects from `modes` and `mode_of`. `mode_of[i]` is the mode to which candidate
// number i of the list belongs.
void order_points(std::span<const Candidate> candidates, WeightRule weight, ShiftScratch& scratch);
void merge_modes(std::span<const Candidate> candidates, int min_neighbors, ShiftScratch& scratch,
                 std::vector<Candidate>& objects);

}  // namespace winnow
