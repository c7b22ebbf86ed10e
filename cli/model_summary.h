// The numbers that describe a cascade: of each stage and of the whole.
#pragma once

#include <winnow/cascade_model.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow::cli {

struct StageSummary {
  bool tables = false;     // not trees
  std::int64_t trees = 0;  // or tables
  std::int64_t nodes = 0;
  std::size_t features = 0;  // that differ
  float threshold = 0;
};

struct ModelSummary {
  std::vector<StageSummary> stages;
  std::int64_t trees = 0, nodes = 0, leaves = 0, tables = 0, features = 0, tilted = 0;
  std::int64_t depth = 0;  // decisions on the longest way to a leaf; 1 for stumps
};

ModelSummary summarize(const CascadeModel& model);

}  // namespace winnow::cli
