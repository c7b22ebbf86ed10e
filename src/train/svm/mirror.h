// Folds the HOG values of windows, so that an SVM learns weights that are mirror images of themselves.
//
// In:     the shape of a HOG model, and rows of its values.
// Out:    folded rows with half as many values; weights for all values, from the weights for folded values.
// Exact:  single IEEE operations: the same values on every machine.
// Memory: a `MirrorFold` owns its list of pairs.
// Thread: any; a `MirrorFold` does not change.
//
// A window and its mirror image have the same values, but in other places: blocks, cells and bins change
// sides. Only the Gaussian over a block differs, because OpenCV centres the Gaussian half a pixel aside.
// Folding turns the two values of a pair of places into one value: their sum divided by the square root of 2.
// With this factor, unfolding does not change the length of the weights as a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <winnow/hog.h>

namespace winnow {

// Whether the mirror image of each bin is one bin. This is false for an odd number of bins over 360 degrees.
bool has_mirrored_bins(const HogShape& shape);

class MirrorFold {
 public:
  explicit MirrorFold(const HogShape& shape);           // `has_mirrored_bins(shape)` must be true
  std::size_t length() const { return pairs_.size(); }  // values in a folded row
  // Folds the values of a window in `row` into `folded`, which has room for `length()` values. Folded values
  // that exceed 16 bits are clamped.
  void fold(const std::int16_t* row, std::int16_t* folded) const;
  std::vector<float> unfold(const std::vector<float>& weights) const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // two equal places: a value without a partner
  std::size_t values_ = 0;
};

}  // namespace winnow
