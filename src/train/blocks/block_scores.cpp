#include "train/blocks/block_scores.h"

#include <algorithm>

#include "base/share_work.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/block_samples.h"
#include "hog/blocks/histograms.h"
#include "hog/blocks/response_rule.h"
#include "hog/hog_steps.h"

namespace winnow {
namespace {

constexpr std::size_t kTogether = 4 * BlockSamples::kChunk;

}  // namespace

std::vector<std::uint8_t> middle_roots(GrayView sample, Size window) {
  GrayImage roots;
  take_roots(sample, roots);
  const int left = (sample.width - window.width) / 2, top = (sample.height - window.height) / 2;
  std::vector<std::uint8_t> pixels;
  pixels.reserve(static_cast<std::size_t>(window.width + 2) * static_cast<std::size_t>(window.height + 2));
  for (int y = -1; y <= window.height; ++y) {
    const std::uint8_t* row = roots.row(mirrored(top + y, sample.height));
    for (int x = -1; x <= window.width; ++x) pixels.push_back(row[mirrored(left + x, sample.width)]);
  }
  return pixels;
}

std::vector<BlockScore> judge_positives(const Pack& pack, Size window, int grid,
                                        std::span<const HogBlockStage> stages, int threads) {
  std::vector<BlockScore> scores(pack.positive_count());
  const std::size_t pieces = (scores.size() + kTogether - 1) / kTogether;
  share_work(threads, pieces, 1, [&](std::size_t, std::size_t piece) {
    const std::size_t begin = piece * kTogether, count = std::min(kTogether, scores.size() - begin);
    BlockSamples samples(window, grid, count, 0);
    for (std::size_t chunk = 0; chunk < samples.chunks(); ++chunk) {
      std::vector<std::vector<std::uint8_t>> middles;
      middles.reserve(BlockSamples::kChunk);
      samples.fill(chunk, [&](std::size_t place) -> const std::uint8_t* {
        return place < count ? middles.emplace_back(middle_roots(pack.positive(begin + place), window)).data()
                             : nullptr;
      });
    }
    const auto learner = make_block_learner_ref(samples, {});
    std::vector<std::int32_t> products(samples.places()), squares(samples.places());
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const HogBlockStage& stage = stages[s];
      learner->products(stage.block, stage.weights, products, squares);
      for (std::size_t i = 0; i < count; ++i) {
        BlockScore& score = scores[begin + i];
        if (score.passed < s) continue;  // rejected before
        score.sum += stage.table[static_cast<std::size_t>(
            response_bin(products[i], squares[i], stage.first, stage.bins_per_response))];
        if (score.sum >= stage.min_sum) ++score.passed;
      }
    }
  });
  return scores;
}

}  // namespace winnow
