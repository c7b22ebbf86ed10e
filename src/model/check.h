// Checks cascades from any file or program, and brings models of equal meaning into one form.
//
// In:     a model as plain data, possibly hostile.
// Out:    nothing, or an `Error`: kFormat, kLimit for sizes, kUnsupported for unknown rules. The place of an
//         error is a text such as "stage 3, tree 7, node 1", "feature 12" or "table 3". All numbers count
//         from 0. Trees are counted within their stage, and nodes within their tree.
// Memory: one byte per node and a stack of node numbers, freed after the check. The model belongs to the
//         caller.
// Thread: any.
// Cost:   one pass over the model.
//
// After `check_model` a reader of the model needs no further checks:
// - Stages' ranges cover all weak classifiers. Trees' ranges cover all nodes and leaves. No ranges overlap.
// - Every tree is a tree: exactly one path leads from the root to each node. Leaves may have several parents.
// - Features lie inside the window, floats are finite, texts are clean UTF-8.
#pragma once

#include <cstddef>

#include <winnow/cascade_model.h>

namespace winnow {

inline constexpr int kMaxWindowSide = 4096;
inline constexpr std::size_t kMaxStages = 100'000;
inline constexpr std::size_t kMaxNodes = 1'000'000;  // also the limit for trees
inline constexpr std::size_t kMaxFeatures = 1'000'000;
inline constexpr std::size_t kMaxNotes = 256;
inline constexpr std::size_t kMaxTextBytes = 65'536;  // for each text of the card, and for each note

// Limits of fixed-point cascades (`CascadeModel::fixed_point`). Leaves fit 16 bits, a float holds thresholds
// exactly, and no sum of the allowed weak classifiers overflows 32 bits.
inline constexpr int kLeastLeafUnits = -32768, kMostLeafUnits = 32767, kMostThresholdUnits = 1 << 24;
inline constexpr std::size_t kMaxFixedPointWeak = 65'535;
inline constexpr int kMaxFixedPointNodes = 7;  // nodes of one tree

// Call `make_canonical` first: the check refuses a rectangle of weight 0 that is not empty.
void check_model(const CascadeModel& model);

// Brings models of equal meaning into one form. A rectangle of weight 0 becomes empty, except the first
// rectangle of a feature. If all trees are stumps, each gets leaf 0 on the left and leaf 1 on the right, the
// only form in OpenCV's files. Unchecked models are allowed: data that makes no sense stays as it is, and
// `check_model` refuses it later.
void make_canonical(CascadeModel& model);

// The rules of every OpenCV cascade of this kind.
ModelRules opencv_rules(FeatureKind kind);

}  // namespace winnow
