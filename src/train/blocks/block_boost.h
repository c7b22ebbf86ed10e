// Boosts a cascade of HOG blocks: adds stages of one block each, one after the other.
//
// In:     samples, positives first; blocks to choose from; a backend's learner.
// Out:    stages whose `min_sum` is not set yet, and the score of each sample in units of 1 / kScoreUnit.
// Exact:  weights, moments and scores are integers, and doubles are computed in a fixed order. The number of
//         threads changes no stage. A checkpoint needs only the stages: a stage depends only on the samples,
//         the options, the seed, the round and the earlier stages.
// Memory: for each sample a score, a weight and the responses of kFinalists blocks; for each block its
//         moments. Samples, blocks and learner must outlive the `BlockBoost`, which owns the lists that it
//         returns.
// Thread: one thread at a time; more threads are used inside.
//
// The rule is Real AdaBoost. For each block, `separate` computes the weights of a linear classifier by least
// squares, from the moments of the block's values. The kFinalists blocks with the least squared error get
// tables. The block whose table has the least bound on the error becomes the next stage.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/hog_cascade.h>

#include "hog/blocks/block_learner.h"

namespace winnow {

struct BlockBoostOptions {
  int blocks_per_round = 0;  // as in `HogCascadeOptions`
  int threads = 1;
  std::uint64_t seed = 1;
  int round = 0;
};

class BlockBoost {
 public:
  // `positives` and `negatives` are the counts of the samples' classes. Samples, blocks and learner must
  // outlive the `BlockBoost`.
  BlockBoost(const BlockSamples& samples, std::size_t positives, std::size_t negatives,
             std::span<const HogBlock> blocks, BlockLearner& learner, const BlockBoostOptions& options);

  // Learns one stage and adds it. Returns false, and adds nothing, if no block separates the classes further.
  bool add_stage();
  // Adds a stage that a checkpoint kept.
  void add(const HogBlockStage& stage);

  const std::vector<HogBlockStage>& stages() const { return stages_; }
  // Scores of the positives, then of the negatives.
  const std::vector<std::int32_t>& scores() const { return scores_; }
  // Writes into `scores` the score that `stage` adds to each sample.
  void scores_of(const HogBlockStage& stage, std::vector<std::int32_t>& scores);

 private:
  // A block that may become the next stage, its table, and the bound on the table's error.
  struct Finalist {
    HogBlockStage stage;
    std::vector<std::int32_t> products, squares;  // one per place of `BlockSamples`
    double bound = 0;
    bool differs = false;  // whether the table separates any samples
  };

  std::size_t place(std::size_t sample) const;
  void weigh();
  std::vector<std::uint32_t> candidates() const;
  void make_table(Finalist& finalist) const;

  const BlockSamples& samples_;
  std::size_t positives_, count_;
  std::span<const HogBlock> blocks_;
  BlockLearner& learner_;
  BlockBoostOptions options_;
  std::vector<std::int32_t> scores_, products_, squares_;
  std::vector<std::uint32_t> weights_;       // one per sample
  std::vector<std::uint16_t> near_weights_;  // one per place of `BlockSamples`, for moments
  std::vector<BlockMoments> moments_;
  std::vector<Finalist> finalists_;
  std::vector<HogBlockStage> stages_;
};

// Finds the direction that separates the classes best in weighted least squares. `up` and `down` are the sums
// of the positives' and of the negatives' weights, in units of the moments. Returns the fraction of the
// squared error that the direction explains, from 0 to 1, or a value below 0 if the samples do not differ.
// Doubles are computed in a fixed order, so the result is the same on every machine.
double separate(const BlockMoments& moments, double up, double down,
                std::array<double, kHogBlockValues>& direction);

}  // namespace winnow
