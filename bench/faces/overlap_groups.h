// Groups boxes as a graph whose neighbours are the boxes that overlap, however little.
//
// In:     boxes, and the number of boxes that a cluster needs.
// Out:    the mean box of each cluster that is large enough, in the order of the clusters' first boxes.
// Exact:  integer sums; means round to the nearest pixel.
// Memory: the caller owns the boxes.
// Cost:   each box is compared with all boxes that are in no cluster yet.
//
// A cluster is all boxes that overlap, directly or through other boxes. A breadth-first search finds each
// cluster.
#pragma once

#include <winnow/box.h>

#include <span>
#include <vector>

namespace bench {

// Whether the boxes have a pixel in common.
bool do_overlap(const winnow::Box& a, const winnow::Box& b);

std::vector<winnow::Box> overlap_groups(std::span<const winnow::Box> boxes, int min_members = 3);

}  // namespace bench
