#include "train/blocks/block_stages.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/hog_cascade_model.h"
#include "train/options.h"

namespace winnow {

BlockLimit limit_of(std::span<const std::int32_t> sums, std::size_t positives, double min_hit) {
  const auto of_positives = sums.first(positives), of_negatives = sums.subspan(positives);
  std::vector<std::int32_t> sorted(of_positives.begin(), of_positives.end());
  const auto lost = std::min(static_cast<std::size_t>((1 - min_hit) * static_cast<double>(positives) + 1e-9),
                             positives - 1);
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(lost);
  std::nth_element(sorted.begin(), place, sorted.end());
  const std::int32_t min_sum = *place;
  const auto fraction = [min_sum](std::span<const std::int32_t> list) {
    return static_cast<double>(
               std::count_if(list.begin(), list.end(), [&](auto sum) { return sum >= min_sum; })) /
           static_cast<double>(list.size());
  };
  return {min_sum, fraction(of_positives), fraction(of_negatives)};
}

void check_stages(const HogStageOptions& options) {
  constexpr int kMostStages = 200;
  if (options.stages < 1 || options.stages > kMostStages)
    refuse("the number of stages must be from 1 to " + std::to_string(kMostStages));
  check_min_hit(options.min_hit);
  if (!(options.max_false > 0 && options.max_false < 1))
    refuse("the largest false alarm rate must be between 0 and 1");
  const int most = static_cast<int>(kMaxHogStages) / options.stages;
  if (options.max_blocks < 1 || options.max_blocks > most)
    refuse("the number of blocks of one of " + std::to_string(options.stages) + " stages must be from 1 to " +
           std::to_string(most));
}

}  // namespace winnow
