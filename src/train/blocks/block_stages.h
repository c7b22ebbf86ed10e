// Finds the limit at the end of a stage of several blocks, as in the paper that docs/design/016 names.
//
// In:     options; running sums of samples, positives first.
// Out:    the largest limit that keeps a hit rate, and the fraction of each class that passes the limit.
// Exact:  integers decide.
// Memory: a copy of the positives' sums.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <winnow/train_hog.h>

namespace winnow {

struct BlockLimit {
  std::int32_t min_sum = 0;         // the largest limit that keeps the hit rate
  double hit = 1, false_alarm = 1;  // fractions of positives and negatives that pass the limit
};
// Returns a limit that at least the fraction `min_hit` of the positives passes. There must be samples of both
// classes.
BlockLimit limit_of(std::span<const std::int32_t> sums, std::size_t positives, double min_hit);

// kUsage for options that make no sense.
void check_stages(const HogStageOptions& options);

}  // namespace winnow
