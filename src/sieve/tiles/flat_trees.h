// Converts trees to nodes that are all evaluated, for many windows at once.
//
// In:     a stage of a checked model, and `leaf_unit`.
// Out:    sets of trees. False if a tree has more than kPathBits nodes below its root.
// Exact:  leaves are integers in the stage's units, so the sum equals the sum of the leaves that the walks
//         reach.
// Memory: the result is the caller's and does not refer to the model.
//
// Each window has one word per set of trees, with one bit for each node below a root. The bit is 1 if the
// window reaches the node. At the start, the bits are 1 for the nodes that an all-right walk reaches. Nodes
// are evaluated from the roots down. If a reached node sends the window left, it adds the difference of two
// leaves. The first leaf belongs to the walk that goes left at the node and right below it. The second leaf
// belongs to the walk that goes right at the node and below it. The node also flips the bits of nodes that
// only one of the two walks reaches.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "base/device/host_device.h"

namespace winnow {

constexpr int kPathBits = 27;  // the number of bits in a set's word for nodes below roots
constexpr int kRootBit = 31;   // the bit for roots, which is always 1

// A node's own bit, and the bits that it flips, in one word.
constexpr std::uint32_t make_path_word(int bit, std::uint32_t flipped) {
  return static_cast<std::uint32_t>(bit) << kPathBits | flipped;
}
WINNOW_HOST_DEVICE constexpr std::uint32_t own_bit(std::uint32_t path_word) {
  return 1u << (path_word >> kPathBits);
}
WINNOW_HOST_DEVICE constexpr std::uint32_t flipped_bits(std::uint32_t path_word) {
  return path_word & ((1u << kPathBits) - 1);
}

struct FlatNode {
  std::int32_t node;  // the node's number in the model
  std::int32_t depth;
  std::int32_t delta;
  std::uint32_t path_word;
};
struct TreeSet {
  std::uint32_t path = 1u << kRootBit;  // the window's bits at the start
  std::vector<FlatNode> nodes;          // tree by tree. Evaluate nodes of less depth first
};
struct FlatStage {
  std::int32_t base = 0;  // the sum of a window that goes right everywhere
  std::vector<TreeSet> sets;
};

// Returns false if a tree has too many nodes below its root. `unit`: the stage's `leaf_unit`.
bool flatten_trees(const CascadeModel& model, const Stage& stage, double unit, FlatStage& result);

}  // namespace winnow
