// Keeps a stage's samples as a table of bytes, one row per feature, and finds the best split.
//
// In:     the training's features and rules, and the planes of the stage's samples; then the features to
//         search, and the samples' weights.
// Out:    the row of a feature, and the best split among the features to search.
// Exact:  a row that is computed again has the same bytes as before. Every backend gives the same rows and
//         splits.
// Memory: a table owns its rows. Features, rules and planes belong to the caller and must outlive the table.
// Thread: one thread at a time; a table uses more threads inside.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/bins.h"
#include "learn/split.h"

namespace winnow {

// The features of a training, in the form that the backends compute. The rules are chosen once, from the
// first stage's samples, and stay the same for the whole training.
struct RunFeatures {
  FeatureList list;
  std::vector<BinFeature> compiled;
  std::vector<BinRule> rules;  // one per feature; LBP features do not use their rules
};

struct TableRequest {
  const RunFeatures* features;
  const SamplePlanes* planes;
  std::size_t positives;  // number of positives, which come before the negatives
  std::int64_t memory;    // the most bytes of kept rows; each search computes the other rows again
  int threads;            // threads of the host, 1 or more
  int device;             // CUDA's number of the device, for `make_table_cuda`
  WeakKind weak = WeakKind::kTree;
};

class BinTable {
 public:
  virtual ~BinTable() = default;
  // Fills `bins` with the feature's bytes, one per sample.
  virtual void row(int feature, std::vector<std::uint8_t>& bins) = 0;
  // Returns the best split among `candidates`: numbers of features, in rising order. If there is no split,
  // the returned gain is below 0. `weights`: one per sample, with a sum below 2^31.
  virtual Split best_split(std::span<const int> candidates, std::span<const std::uint32_t> weights,
                           BoostKind boost) = 0;
};

std::unique_ptr<BinTable> make_table_ref(const TableRequest& request);
std::unique_ptr<BinTable> make_table_cpu(const TableRequest& request);
// Rows lie in the device's memory. If the device has less free memory than `memory` allows, fewer rows are
// kept. Throws kBackend if the device cannot be used, and kDevice if a call to the device fails.
std::unique_ptr<BinTable> make_table_cuda(const TableRequest& request);

}  // namespace winnow
