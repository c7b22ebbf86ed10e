// Lists the functions of a backend for training in one struct. Each backend has such a struct.
//
// In:     features, and the planes of samples.
// Out:    rules of bins, bytes of samples, and tables that find the best split.
// Exact:  every backend's functions give the same bytes and the same splits.
// Memory: the caller owns features, planes, bytes and tables. Features, rules and planes must outlive a
//         table.
// Thread: several threads may choose rules and compute bytes at once.
#pragma once

#include <memory>

#include "learn/bin_table.h"

namespace winnow {

struct TrainSteps {
  // Chooses the rule of a feature's bins once per training, from about a thousand samples.
  BinRule (*choose_rule)(const BinFeature&, const SamplePlanes&);
  // Computes a feature's bytes for one chunk of samples. `bins` has room for kSampleChunk bytes, all of which
  // are written.
  void (*bin_chunk)(const BinFeature&, const BinRule&, const SamplePlanes&, std::size_t chunk,
                    std::uint8_t* bins);
  // Makes the table of bytes of a stage's samples.
  std::unique_ptr<BinTable> (*make_table)(const TableRequest& request);
};

// Chooses the rules of a run, from the planes of the first stage's samples, and fills `features.rules`.
// `features.list` and `features.compiled` must be filled, and `threads` is 1 or more. LBP features get empty
// rules. Rules for tables leave the outermost responses to the first and last bin.
void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, WeakKind weak,
                  RunFeatures& features);

}  // namespace winnow
