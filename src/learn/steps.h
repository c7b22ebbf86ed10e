// What a backend does in training: one struct of functions, an entry of each backend's table.
//
// Exact: every backend's functions give the same bytes and the same splits.
#pragma once

#include <memory>

#include "learn/bin_table.h"

namespace winnow {

struct TrainSteps {
  // A feature's bins, chosen once a run from about a thousand samples.
  BinRule (*choose_rule)(const BinFeature&, const SamplePlanes&);
  // A feature's bins of one block of samples.
  void (*bin_block)(const BinFeature&, const BinRule&, const SamplePlanes&, std::size_t block,
                    std::uint8_t* bins);
  // A stage's samples as a table of bytes, which finds the best split.
  std::unique_ptr<BinTable> (*make_table)(const TableRequest& request);
};

// The run's rules, from the first stage's samples.
void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, WeakKind weak,
                  RunFeatures& features);

}  // namespace winnow
