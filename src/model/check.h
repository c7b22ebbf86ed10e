// What every cascade is held to, whichever file or program it came from.
//
// In: a model as plain data, possibly hostile. Out: nothing, or an Error (kFormat, kLimit for sizes) whose
// place is "stage 3, tree 7, node 1" or "feature 12"; all numbers count from 0, trees within their stage,
// nodes within their tree. After `check_model` a reader of the model needs no further checks: ranges are
// contiguous and complete, every tree is a tree (each node reached once from its root, leaves may be shared),
// features lie inside the window, floats are finite, texts are clean UTF-8. Cost: one pass over the model,
// one byte a node.
#pragma once

#include <cstddef>

#include <winnow/cascade_model.h>

namespace winnow {

inline constexpr int kMaxWindowSide = 4096;
inline constexpr std::size_t kMaxStages = 100'000;
inline constexpr std::size_t kMaxNodes = 1'000'000;  // and as many trees
inline constexpr std::size_t kMaxFeatures = 1'000'000;
inline constexpr std::size_t kMaxNotes = 256;
inline constexpr std::size_t kMaxTextBytes = 65'536;  // each text of the card and each note

// Fixed-point cascades (`CascadeModel::fixed_point`): leaves fit 16 bits, a float holds thresholds exactly,
// no sum of so many weak classifiers leaves 32 bits, and trees are small.
inline constexpr int kLeastLeafUnits = -32768, kMostLeafUnits = 32767, kMostThresholdUnits = 1 << 24;
inline constexpr std::size_t kMaxFixedPointWeak = 65'535;
inline constexpr int kMaxFixedPointNodes = 7;  // of a tree

void check_model(const CascadeModel& model);

// Gives models that mean the same the same data: rectangles of weight 0 after a feature's first are emptied,
// and in a model of stumps only each tree has leaf 0 on the left and leaf 1 on the right, the one form that
// OpenCV's files can express. Safe on unchecked models: what it does not understand it leaves for
// `check_model` to refuse.
void make_canonical(CascadeModel& model);

// The rules that every OpenCV cascade of this kind has.
ModelRules opencv_rules(FeatureKind kind);

}  // namespace winnow
