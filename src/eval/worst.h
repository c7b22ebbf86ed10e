// Picks the errors that are most useful to see: the strongest false positives, and the objects that are
// hardest to find.
//
// In:     an evaluation, and the pictures that it judged.
// Out:    at most `most` errors.
// Exact:  the same errors in the same order for the same evaluation.
// Memory: the list belongs to the caller.
// Thread: any.
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
  std::optional<double> rank;  // none for an object that no detection found
};

// The false positives with the highest ranks, in falling order.
std::vector<WorstError> strongest_wrong(const Evaluation& evaluation, std::size_t most);
// First the objects that no detection found, by falling area. Then the objects that were found, by rising
// rank. Ignored labels are left out.
std::vector<WorstError> hardest_objects(const Evaluation& evaluation,
                                        std::span<const LabelledPicture> pictures, std::size_t most);

}  // namespace winnow
