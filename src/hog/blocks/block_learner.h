// Adds up the values of each block over all samples: the costly part of training cascades of HOG blocks.
//
// In:     samples, a list of blocks, weights of samples.
// Out:    for blocks, moments of their normalised values over all samples. For one block and each sample, the
//         sum of values times weights, and the sum of squares of values.
// Exact:  the same on every backend. All sums are of integers, so the order of addition does not matter.
// Memory: the caller owns samples and results. Samples and blocks must outlive a learner. A learner may keep
//         a byte for each sample and each value of each block.
// Thread: one thread at a time; a learner starts more threads itself.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include <winnow/hog_cascade.h>

#include "base/device/host_device.h"
#include "hog/blocks/block_samples.h"
#include "hog/blocks/response_rule.h"

namespace winnow {

// A normalised value is a value of a block divided by the length of the vector of the block's values plus
// kBlockLengthFloor, in units of 2^-8. Moments decide only the direction of weights, so 8 bits are enough.
inline constexpr int kUnitBits = 8, kMostUnit = (1 << kUnitBits) - 1;
// The factor that converts a block's values to normalised values. `squares`: the sum of the values' squares.
WINNOW_HOST_DEVICE inline float unit_per_length(std::int32_t squares) {
  return static_cast<float>(1 << kUnitBits) / (std::sqrt(static_cast<float>(squares)) + kBlockLengthFloor);
}
WINNOW_HOST_DEVICE inline std::int32_t unit_value(std::int32_t value, float per_length) {
  const auto unit = static_cast<std::int32_t>(std::rint(static_cast<float>(value) * per_length));
  return unit < kMostUnit ? unit : kMostUnit;
}
// A sample's weight in moments is a whole number from 0 to kMostMomentWeight. The product of a normalised
// value and a weight is truncated to a whole number.
inline constexpr std::int32_t kMostMomentWeight = 4095;
WINNOW_HOST_DEVICE constexpr std::int32_t weighted_unit(std::int32_t unit, std::int32_t weight) {
  return unit * weight >> kUnitBits;
}

// Sums over samples. Entry (i, j) of `products`, for i >= j, sums `weighted_unit` of value i times
// `unit_value` of value j. Entry i of `up` sums `weighted_unit` of value i over positives, and entry i of
// `down` sums it over negatives.
struct BlockMoments {
  std::array<std::int64_t, kHogBlockValues * kHogBlockValues> products{};
  std::array<std::int64_t, kHogBlockValues> up{}, down{};
  bool operator==(const BlockMoments&) const = default;
};

class BlockLearner {
 public:
  virtual ~BlockLearner() = default;
  // Gives the moments of some blocks. `which`: indices in the list of blocks. `weights`: one for each place
  // of the samples, 0 for empty places.
  virtual void moments(std::span<const std::uint32_t> which, std::span<const std::uint16_t> weights,
                       std::span<BlockMoments> results) = 0;
  // Gives for each place of the samples the sum of the block's values times `weights`, and the sum of the
  // values' squares.
  virtual void products(const HogBlock& block, const std::array<std::int16_t, kHogBlockValues>& weights,
                        std::span<std::int32_t> products, std::span<std::int32_t> squares) = 0;
};

// The functions of a backend for training. Samples and blocks must outlive the learner.
struct BlockSteps {
  std::unique_ptr<BlockLearner> (*make_learner)(const BlockSamples& samples, std::span<const HogBlock> blocks,
                                                int threads, int device);
};

std::unique_ptr<BlockLearner> make_block_learner_ref(const BlockSamples& samples,
                                                     std::span<const HogBlock> blocks);
// Makes a learner that keeps the units (normalised values) of all blocks in memory.
std::unique_ptr<BlockLearner> make_block_learner_cpu(const BlockSamples& samples,
                                                     std::span<const HogBlock> blocks, int threads);
// Makes a learner that keeps the units of as many blocks as fit `unit_bytes` and the device. Each call
// computes the units of the other blocks again. Exists only in builds with CUDA. Throws kBackend if there is
// no such device, and kDevice if the samples do not fit the device's memory.
std::unique_ptr<BlockLearner> make_block_learner_cuda(
    const BlockSamples& samples, std::span<const HogBlock> blocks, int device,
    std::int64_t unit_bytes = std::numeric_limits<std::int64_t>::max());

}  // namespace winnow
