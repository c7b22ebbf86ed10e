// Adds up values of HOG blocks in plain loops, as hog/blocks/block_learner.h declares; its opening comment
// holds here.
#include "hog/blocks/block_learner.h"
#include "hog/blocks/response_rule.h"

namespace winnow {
namespace {

class BlockLearnerRef final : public BlockLearner {
 public:
  BlockLearnerRef(const BlockSamples& samples, std::span<const HogBlock> blocks)
      : samples_(samples), blocks_(blocks) {}

  void moments(std::span<const std::uint32_t> which, std::span<const std::uint16_t> weights,
               std::span<BlockMoments> results) override {
    for (std::size_t b = 0; b < which.size(); ++b) {
      BlockMoments& sums = results[b];
      sums = {};
      for (std::size_t place = 0; place < samples_.places(); ++place) {
        const auto values = values_of(blocks_[which[b]], place);
        std::int32_t squares = 0, units[kHogBlockValues];
        for (const std::int32_t value : values) squares += value * value;
        const float per_length = unit_per_length(squares);
        for (std::size_t i = 0; i < kHogBlockValues; ++i) units[i] = unit_value(values[i], per_length);
        for (std::size_t i = 0; i < kHogBlockValues; ++i) {
          const std::int32_t weighted = weighted_unit(units[i], weights[place]);
          (place < samples_.first_negative() ? sums.up : sums.down)[i] += weighted;
          for (std::size_t j = 0; j <= i; ++j) sums.products[i * kHogBlockValues + j] += weighted * units[j];
        }
      }
    }
  }

  void products(const HogBlock& block, const std::array<std::int16_t, kHogBlockValues>& weights,
                std::span<std::int32_t> products, std::span<std::int32_t> squares) override {
    for (std::size_t place = 0; place < samples_.places(); ++place) {
      const auto values = values_of(block, place);
      products[place] = squares[place] = 0;
      for (std::size_t i = 0; i < kHogBlockValues; ++i) {
        products[place] += values[i] * weights[i];
        squares[place] += values[i] * values[i];
      }
    }
  }

 private:
  std::array<std::int32_t, kHogBlockValues> values_of(const HogBlock& block, std::size_t place) const {
    std::array<std::int32_t, kHogBlockValues> values;
    const int grid = samples_.grid(), shift = value_shift(block.cell_width * block.cell_height * grid * grid);
    auto value = values.begin();
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const int left = block.x + i * block.cell_width, top = block.y + j * block.cell_height;
        const int right = left + block.cell_width, bottom = top + block.cell_height;
        for (int k = 0; k < kVoteBins; ++k) {
          const std::uint32_t sum = samples_.sums(right, bottom, k)[place] -
                                    samples_.sums(left, bottom, k)[place] -
                                    samples_.sums(right, top, k)[place] + samples_.sums(left, top, k)[place];
          *value++ = static_cast<std::int32_t>(sum >> shift);
        }
      }
    }
    return values;
  }

  const BlockSamples& samples_;
  std::span<const HogBlock> blocks_;
};

}  // namespace

std::unique_ptr<BlockLearner> make_block_learner_ref(const BlockSamples& samples,
                                                     std::span<const HogBlock> blocks) {
  return std::make_unique<BlockLearnerRef>(samples, blocks);
}

}  // namespace winnow
