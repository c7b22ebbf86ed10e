// A byte for each feature and sample: kept as far as memory allows, else made again when it is asked for.
// exact: what is kept changes the time, never a byte. Owns its bytes; features and rules are the run's, the
// planes the stage's. Rows may be read by many threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/steps.h"

namespace winnow {

// Features of a run, ready to be computed.
struct RunFeatures {
  FeatureList list;
  std::vector<BinFeature> compiled;
  std::vector<BinRule> rules;  // Haar
};
// Rules are chosen once, from the first stage's samples, and go with a run from then on.
void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, RunFeatures& features);

class BinTable {
 public:
  BinTable(const TrainSteps& steps, const RunFeatures& features, const SamplePlanes& planes,
           std::int64_t memory, int threads);

  std::size_t samples() const { return planes_->samples(); }
  int kept() const { return kept_; }
  // Of all samples; `scratch` may be used for it and must outlive what is returned.
  std::span<const std::uint8_t> row(int feature, std::vector<std::uint8_t>& scratch) const;

 private:
  void make_row(int feature, std::uint8_t* row) const;

  const TrainSteps* steps_;
  const RunFeatures* features_;
  const SamplePlanes* planes_;
  int kept_ = 0;
  std::size_t pitch_ = 0;
  std::vector<std::uint8_t> bytes_;
};

// The best of `candidates`, which rise. `weights`: one a sample, positives first.
Split best_split(const TrainSteps& steps, const RunFeatures& features, const BinTable& table,
                 std::span<const int> candidates, std::span<const std::uint32_t> weights,
                 std::size_t positives, BoostKind boost, int threads);

}  // namespace winnow
