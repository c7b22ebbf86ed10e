// Collects a backend's functions for training in one struct. Each backend fills one such struct.
//
// In:     features, and the integral planes of samples (`sample_planes.h`).
// Out:    for each feature, a rule that maps responses to bins; a byte per feature and sample; tables that
//         find the best split.
// Exact:  every backend's functions give the same bytes and the same splits.
// Memory: the caller owns features, planes, bytes and tables. Features, rules and planes must outlive a
//         table.
// Thread: several threads may choose rules and compute bytes at once.
#pragma once

#include <memory>

#include "learn/bin_table.h"

namespace winnow {

struct TrainSteps {
  // Chooses the rule that maps a feature's responses to bins. The rule is chosen once per training, from at
  // most 1024 samples.
  BinRule (*choose_rule)(const BinFeature&, const SamplePlanes&);
  // Computes a feature's bytes for one chunk of samples. `bins` has room for kSampleChunk bytes, all of which
  // are written.
  void (*bin_chunk)(const BinFeature&, const BinRule&, const SamplePlanes&, std::size_t chunk,
                    std::uint8_t* bins);
  // Makes the table that holds the bytes of a stage's samples.
  std::unique_ptr<BinTable> (*make_table)(const TableRequest& request);
};

// Chooses the rules of all features from the planes of the first stage's samples, and fills `features.rules`.
// `features.list` and `features.compiled` must be filled, and `threads` is 1 or more. LBP features get empty
// rules. With `WeakKind::kTable`, the first and the last bin also get the extreme responses: up to 1 % of the
// responses on each side.
void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, WeakKind weak,
                  RunFeatures& features);

}  // namespace winnow
