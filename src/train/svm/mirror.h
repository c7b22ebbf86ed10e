// Folds the values of windows, so that an SVM learns weights that are mirror images of themselves.
//
// In:     the shape of a HOG model, and rows of its values.
// Out:    rows of half as many values; weights of all values from weights of folded ones.
// Exact:  single IEEE operations: the same values on every machine.
// Memory: the list of pairs.
// Thread: any; an object does not change.
//
// A window and its mirror image have the same values in other places: blocks, cells and bins change sides.
// Only the Gaussian over a block differs, because OpenCV centres it half a pixel aside. A pair of places
// becomes one value: the sum over the square root of 2. Folded weights therefore keep their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <winnow/hog.h>

namespace winnow {

// Whether each bin mirrored is a whole bin. This is false for an odd number of bins of 360 degrees.
bool has_mirrored_bins(const HogShape& shape);

class MirrorFold {
 public:
  explicit MirrorFold(const HogShape& shape);           // `has_mirrored_bins(shape)` must be true
  std::size_t length() const { return pairs_.size(); }  // length of a folded row
  // `row` has all values of a window. `folded` has room for `length()` values. Sums beyond 16 bits are
  // limited.
  void fold(const std::int16_t* row, std::int16_t* folded) const;
  std::vector<float> unfold(const std::vector<float>& weights) const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // two equal places: a value without a partner
  std::size_t values_ = 0;
};

}  // namespace winnow
