// Times how the first device groups candidates into objects. Candidates and objects lie in its memory.
//
// In:     candidates in host memory. They are copied before the time begins.
// Out:    the median time by device events in microseconds, and the objects. No value for more than 16,384
//         candidates.
// Exact:  objects as in `group.h`.
// Memory: allocates in each call.
// Thread: one thread at a time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "group/group.h"

namespace bench {

struct DeviceGrouping {
  double us = 0;
  std::vector<winnow::Candidate> objects;
};
std::optional<DeviceGrouping> time_device_grouping(std::span<const winnow::Candidate> candidates,
                                                   int min_neighbors, double eps, int repeat);

// The most candidates of a frame that a block of threads groups in its shared memory. More candidates are
// grouped in global memory here. In a search, the host groups the candidates of a frame that has more.
int most_grouped_in_a_block();

}  // namespace bench
