// Trees as nodes that are all evaluated, for many windows at once.
// In: a stage of a checked model. Out: groups of trees. A group's nodes share a word of bits, one for each
// node below a root; at first those are set that going right everywhere comes to. A node that is come to and
// goes left adds what the leaf differs by if all below it go right, and turns the bits that differ. exact:
// leaves are integers in the stage's units, so the sum is that of the leaves which the walks come to.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "base/host_device.h"

namespace winnow {

constexpr int kReachBits = 27;  // of a group, for nodes below roots
constexpr int kRootBit = 31;    // which is always set

// A node's own bit and those that it turns.
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
  std::int32_t node;  // of the model
  std::int32_t depth;
  std::int32_t delta;
  std::uint32_t reach;
};
struct ReachGroup {
  std::uint32_t reached = 1u << kRootBit;  // at first
  std::vector<ReachNode> nodes;            // tree by tree; those of less depth must be evaluated first
};
struct ReachStage {
  std::int32_t base = 0;  // of who goes right everywhere
  std::vector<ReachGroup> groups;
};

// False if a tree has too many nodes below its root. `unit`: `leaf_unit`.
bool find_reach(const CascadeModel& model, const Stage& stage, double unit, ReachStage& result);

}  // namespace winnow
