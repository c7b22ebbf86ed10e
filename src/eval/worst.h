// What is worth a look: the strongest false positives, and the objects that were missed or nearly so.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <winnow/eval.h>

namespace winnow {

struct WorstError {
  std::size_t picture = 0;
  RealBox place;
  std::optional<double> rank;  // none: an object that nothing found
};

// The best ranked first.
std::vector<WorstError> strongest_wrong(const Evaluation& evaluation, std::size_t most);
// Objects that nothing found, the largest first; then those that were found at the lowest ranks.
std::vector<WorstError> hardest_objects(const Evaluation& evaluation,
                                        std::span<const LabelledPicture> pictures, std::size_t most);

}  // namespace winnow
