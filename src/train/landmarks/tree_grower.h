// Grows the trees of a stage, split by split, from the sums that a `ShapeLearner` gives.
//
// In:     the samples of a stage, the places of its pixels, and a learner on which `begin` was called with
//         these samples.
// Out:    trees: their splits, and the whole numbers of their leaves.
// Exact:  sums are integers, and scores are doubles in a fixed order: all learners give the same trees. The
//         weights of pairs of pixels depend on the C library's exp.
// Memory: the sums of all tried splits, and a number for each pair of pixels. Samples, options and learner
//         must outlive a `TreeGrower`.
// Thread: one thread at a time.
//
// A tree grows level by level. For each node some splits are drawn: two pixels near each other, and as
// threshold the difference of these pixels in a sample of the node. The split with the least spread of goals
// on its two sides wins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/landmarks.h>
#include <winnow/train_landmarks.h>

#include "base/random.h"
#include "shape/shape_learner.h"

namespace winnow {

struct GrownTree {
  std::vector<VisitSplit> splits;  // the children of split i are 2 * i + 1 (left) and 2 * i + 2
  std::vector<std::int16_t> leaves;
};

// Returns a split in the form of a model.
inline ShapeSplit model_split(const VisitSplit& split) {
  return {split.first, split.second, static_cast<float>(split.threshold)};
}

class TreeGrower {
 public:
  // `places`: where the pixels lie on the mean shape. `closeness`: as `LandmarkOptions::first_closeness`.
  TreeGrower(ShapeLearner& learner, const ShapeSamples& samples, const LandmarkOptions& options,
             const std::vector<ShapePoint>& places, double closeness);
  GrownTree grow(std::uint64_t seed, int stage, int tree);

 private:
  struct Node {
    std::int64_t count = 0;
    std::vector<std::int64_t> sums;
  };

  VisitSplit draw(Random& random, const std::vector<std::uint32_t>& here) const;
  std::size_t best_of(std::size_t first, std::size_t count, const Node& node) const;
  Node child(const Node& parent, std::size_t split, bool left) const;
  int difference(const VisitSplit& split, std::size_t sample) const;

  ShapeLearner& learner_;
  const ShapeSamples& samples_;
  const LandmarkOptions& options_;
  std::vector<double> pairs_;   // row a: running sums of the weights of pairs (a, 0), (a, 1), ...
  std::vector<double> firsts_;  // entry a: the sum of the weights of all pairs in rows 0 to a
  SplitSums sums_;
};

}  // namespace winnow
