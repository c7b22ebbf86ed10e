// What a search is asked for, and what it answers: plain data, the same for every kind of model and backend.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <winnow/box.h>

namespace winnow {

struct DetectOptions {
  double scale_factor = 1.1;  // from one level to the next; above 1
  int min_neighbors = 3;      // a group of n candidates is kept if n > min_neighbors; 0 does not group
  // A side of 0 is no limit. If no level of a cascade is within both sizes, the level nearest to the smallest
  // size is searched, as OpenCV does.
  Size min_size;
  Size max_size;
  bool raw = false;  // candidates before grouping, each with 1 neighbour
  double min_score = -std::numeric_limits<double>::infinity();
};

struct Detection {
  Box box;
  double score = 0;   // of a window: the last stage's sum; of a group: the largest (OpenCV's levelWeights)
  int neighbors = 1;  // candidates in the group
  bool operator==(const Detection&) const = default;
};

// Equal on every backend, as the objects are. `weak` alone is a cost and may differ.
struct Counters {
  std::int64_t windows = 0;  // on the grid
  std::int64_t skipped = 0;  // not visited, since the first stage rejected the window before
  std::int64_t flat = 0;     // rejected before any stage, for lack of contrast
  // Windows that entered stage i. One more entry at the end: windows that passed all stages.
  std::vector<std::int64_t> reached;
  std::int64_t weak = 0;  // weak classifiers evaluated for windows that still lived
  bool same_answer(const Counters& o) const {
    return windows == o.windows && skipped == o.skipped && flat == o.flat && reached == o.reached;
  }
};

struct Detections {
  std::vector<Detection> objects;  // ordered by the smallest window id of each group
  Counters counters;
  std::string backend;  // which one answered: "cpu"
  Size picture;
};

}  // namespace winnow
