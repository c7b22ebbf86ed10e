// Counts the elements of a cascade, for each stage and for the whole.
//
// In:     a checked model, not copied.
// Out:    counts of trees, nodes, tables, leaves and features, and the depth.
// Exact:  counts are integers; a stage's threshold is the model's float.
// Memory: results belong to the caller.
// Thread: any.
#pragma once

#include <winnow/cascade_model.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

struct StageCounts {
  bool tables = false;     // whether the stage has tables in place of trees
  std::int64_t trees = 0;  // the number of trees or tables
  std::int64_t nodes = 0;
  std::size_t features = 0;  // number of distinct features
  float threshold = 0;
};

struct CascadeCounts {
  std::vector<StageCounts> stages;
  std::int64_t trees = 0, nodes = 0, leaves = 0, tables = 0, features = 0, tilted = 0;
  std::int64_t depth = 0;  // number of decisions on the longest path to a leaf; 1 for stumps
};

CascadeCounts count_cascade(const CascadeModel& model);

}  // namespace winnow
