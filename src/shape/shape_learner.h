// Adds up the goals of the samples that go left at each split. This is the costly part of training trees of
// landmarks.
//
// In:     pixels and goals of samples, and the splits to try. A goal is what trees must still add to a number
//         of a sample.
// Out:    for each split the number of samples on its left side, and the sums of their goals.
// Exact:  integers, so that no order of addition matters: the same on every backend.
// Memory: a learner owns copies of goals. The pixels are read until the next `begin`. Results belong to the
//         caller, and a call reuses their memory.
// Thread: one thread at a time; a learner uses more threads inside.
//
// A tree grows level by level. Each sample stands in one node of the present level. `try_splits` sums up,
// `split` sends the samples to the next level, and `add_leaves` ends the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/device/host_device.h"
#include "shape/shape_rule.h"

namespace winnow {

// The samples of a stage.
struct ShapeSamples {
  std::size_t count = 0;
  int pixels = 0, values = 0;           // a stage has `pixels` pixels, and a leaf `values` numbers
  const std::uint8_t* pixel = nullptr;  // for each pixel its value in all `count` samples
  std::span<const std::int32_t> goals;  // for each sample `values` numbers
};

// Goals are clamped to -kMostGoal to kMostGoal before they are added. Sums of 512 samples therefore fit 32
// bits.
inline constexpr std::int32_t kMostGoal = 1 << 21;
inline constexpr std::size_t kGoalsIn32Bits = 512;

WINNOW_HOST_DEVICE inline std::int32_t bounded_goal(std::int32_t goal) {
  return goal < -kMostGoal ? -kMostGoal : goal > kMostGoal ? kMostGoal : goal;
}

inline constexpr int kMostLearnerDepth = 8;

struct SplitSums {
  std::vector<std::int32_t> counts;  // for each split, how many samples go left
  std::vector<std::int64_t> sums;    // for each split, `values` sums of the goals of these samples
};

class ShapeLearner {
 public:
  virtual ~ShapeLearner() = default;
  // Takes new samples. All of them begin in the root of a tree.
  virtual void begin(const ShapeSamples& samples) = 0;
  // Counts and adds up for each split the samples that go left. `splits` lists equally many splits for each
  // node of the level, node by node. Level 0 is the root.
  virtual void try_splits(int level, std::span<const VisitSplit> splits, SplitSums& sums) = 0;
  // Sends each sample to the left or right child of its node, as the node's split says. A node's children
  // are 2 * node (left) and 2 * node + 1 in the next level.
  virtual void split(std::span<const VisitSplit> chosen) = 0;
  // Subtracts from each sample's goals the numbers of the sample's leaf. `numbers` has `values` numbers for
  // each node of the present level. All samples are then in the root again.
  virtual void add_leaves(std::span<const std::int16_t> numbers) = 0;
  // The present goals of all samples.
  virtual void goals(std::span<std::int32_t> goals) = 0;
};

std::unique_ptr<ShapeLearner> make_shape_learner_ref();
std::unique_ptr<ShapeLearner> make_shape_learner_cpu(int threads);
std::unique_ptr<ShapeLearner> make_shape_learner_cuda(int device);

}  // namespace winnow
