// Judges windows of a picture with a cascade of HOG blocks.
//
// In:     a model, and a picture in grey (`Sieve` in sieve/stages.h).
// Out:    a sieve. A window survives if it passes every stage and its score is at least `min_hog_score`.
// Exact:  same bits for every backend, thread count and SIMD target (docs/design/016-blocks.md).
// Memory: a sieve owns its buffers and keeps the model alive. The model of `block_model` lives as long as any
//         copy of the detector model.
// Thread: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <winnow/detector_model.h>
#include <winnow/hog_cascade.h>

#include "hog/blocks/histograms.h"
#include "sieve/stages.h"

namespace winnow {

std::unique_ptr<Sieve> make_block_sieve_ref(const DetectorModel& model);
std::unique_ptr<Sieve> make_block_sieve_cpu(const DetectorModel& model, int threads);

// The cascade of HOG blocks inside a detector model of that kind.
const HogCascadeModel& block_model(const DetectorModel& model);
// The least sum that a survivor needs, if its score must be at least `min_score`.
std::int64_t min_block_sum(const HogCascadeModel& model, double min_score);
inline double block_score(const HogCascadeModel& model, std::int32_t sum) {
  return static_cast<double>(sum - model.zero) / kScoreUnit;
}

// The values of `block` in the window that begins at corner (x, y).
std::array<std::int32_t, kHogBlockValues> block_values_ref(const IntegralHistograms& histograms,
                                                           const HogBlock& block, int grid, int x, int y);

}  // namespace winnow
