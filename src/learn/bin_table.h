// A stage's samples as a table of bytes, a row a feature, and the best split of them.
// In: the run's features and rules, the stage's planes. Out: rows, and the best split by weights. exact: what
// is kept in memory and what is made again changes the time, never a byte. Owns its bytes; features, rules
// and planes must outlive it; belongs to one thread, and uses more inside.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/bins.h"
#include "learn/split.h"

namespace winnow {

// Features of a run, ready to be computed. The rules are chosen once, from the first stage's samples, and go
// with the run from then on.
struct RunFeatures {
  FeatureList list;
  std::vector<BinFeature> compiled;
  std::vector<BinRule> rules;  // Haar
};

struct TableRequest {
  const RunFeatures* features;
  const SamplePlanes* planes;
  std::size_t positives;  // they come before the negatives
  std::int64_t memory;    // bytes for rows that are kept
  int threads;
  int device;
  WeakKind weak = WeakKind::kTree;
};

class BinTable {
 public:
  virtual ~BinTable() = default;
  // Of all samples, into `bins`.
  virtual void row(int feature, std::vector<std::uint8_t>& bins) = 0;
  // The best of `candidates`, which rise. `weights`: one a sample; their sum is below 2^31.
  virtual Split best_split(std::span<const int> candidates, std::span<const std::uint32_t> weights,
                           BoostKind boost) = 0;
};

std::unique_ptr<BinTable> make_table_ref(const TableRequest& request);
std::unique_ptr<BinTable> make_table_cpu(const TableRequest& request);
// Rows lie in the device's memory: fewer are kept than `memory` allows if it has less that is free.
std::unique_ptr<BinTable> make_table_cuda(const TableRequest& request);

}  // namespace winnow
