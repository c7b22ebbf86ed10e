// Times grouping of boxes that lie in the layouts of a thesis on faces.
//
// In:     numbers of boxes.
// Out:    a table in the form of `results_file.h`.
// Exact:  objects equal those of `group_ref`, or an error is thrown. Times vary.
// Memory: the caller owns boxes and tables.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "group/group.h"
#include "results_file.h"

namespace bench {

// The boxes of a heap overlap. So they are neighbours by the thesis's rule, and similar by Winnow's rule.
enum class BoxLayout {
  kRandom,          // places and sizes are random in 1280x720
  kNoOverlap,       // boxes in a grid
  kAllNeighbours,   // all boxes in one heap
  kHalfNeighbours,  // every second box lies in one heap, and the others in a grid
};
inline constexpr std::array<BoxLayout, 4> kBoxLayouts = {
    BoxLayout::kRandom, BoxLayout::kNoOverlap, BoxLayout::kAllNeighbours, BoxLayout::kHalfNeighbours};
const char* layout_name(BoxLayout layout);
std::vector<winnow::Candidate> layout_boxes(BoxLayout layout, int count);

// Times grouping into objects of 3 boxes or more: by Winnow's rule on the host, and by overlap in plain
// loops.
ResultList grouping_results(std::span<const int> counts, int repeat);

// Times grouping by Winnow's rule on the first device, and on the host. Throws in builds without CUDA.
ResultList device_grouping_results(std::span<const int> counts, int repeat);

}  // namespace bench
