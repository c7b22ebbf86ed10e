// Turns trees into nodes that are all evaluated, for many windows at once.
//
// In:     a stage of a checked model, and `leaf_unit`.
// Out:    groups of trees. False if a tree has more than kReachBits nodes below its root.
// Exact:  leaves are integers in the stage's units, so the sum is that of the leaves which the walks reach.
// Memory: the result is the caller's and does not refer to the model.
//
// The nodes of a group share a word with one bit for each node below a root. At the start, the set bits are
// those of the nodes that a walk to the right everywhere reaches. A reached node that goes left adds the
// difference of two leaves. The first leaf is reached by going left here and right below, the second by going
// right here and below. The node also flips the bits in which these two walks differ.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "base/device/host_device.h"

namespace winnow {

constexpr int kReachBits = 27;  // bits of a group, for nodes below roots
constexpr int kRootBit = 31;    // the bit for roots, which is always set

// A node's own bit, and the bits that it flips, in one word.
constexpr std::uint32_t reach_word(int bit, std::uint32_t turned) {
  return static_cast<std::uint32_t>(bit) << kReachBits | turned;
}
WINNOW_HOST_DEVICE constexpr std::uint32_t own_bit(std::uint32_t reach) {
  return 1u << (reach >> kReachBits);
}
WINNOW_HOST_DEVICE constexpr std::uint32_t turned_bits(std::uint32_t reach) {
  return reach & ((1u << kReachBits) - 1);
}

struct ReachNode {
  std::int32_t node;  // the node's number in the model
  std::int32_t depth;
  std::int32_t delta;
  std::uint32_t reach;
};
struct ReachGroup {
  std::uint32_t reached = 1u << kRootBit;  // the bits at the start of the walk
  std::vector<ReachNode> nodes;            // tree by tree; nodes of less depth must be evaluated first
};
struct ReachStage {
  std::int32_t base = 0;  // the sum of a window that goes right everywhere
  std::vector<ReachGroup> groups;
};

// False if a tree has too many nodes below its root. `unit`: `leaf_unit`.
bool find_reach(const CascadeModel& model, const Stage& stage, double unit, ReachStage& result);

}  // namespace winnow
