// What a feature says about every sample: a byte each.
// In: features and the samples' planes. Out: Haar: the bin of the response (`bins_rule.h`); LBP: the code. So
// all that boosting looks at is a table of bytes, a row a feature, which may be kept or made again. exact:
// the response is what the detector computes for the same pixels. Costs 8 to 16 loads a byte.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/bins_rule.h"
#include "learn/feature_list.h"
#include "learn/sample_planes.h"

namespace winnow {

// A feature as corners in the planes of a block of samples.
struct BinFeature {
  std::uint32_t corners[16];  // in values; Haar: four a rectangle, as a - b - c + d; LBP: 4 x 4, row by row
  float weights[3];
  std::uint32_t rects;  // 0: LBP
  bool tilted;
};
std::vector<BinFeature> bin_features(const FeatureList& list);

// Haar: the responses of a block's samples, as the detector has them before it compares.
void responses_ref(const BinFeature& feature, const SamplePlanes& planes, std::size_t block,
                   float (&responses)[kSampleBlock]);

// A block's samples: kSampleBlock bytes into `bins`. `rule` matters for Haar only.
void bin_block_ref(const BinFeature& feature, const BinRule& rule, const SamplePlanes& planes,
                   std::size_t block, std::uint8_t* bins);
void bin_block_cpu(const BinFeature& feature, const BinRule& rule, const SamplePlanes& planes,
                   std::size_t block, std::uint8_t* bins);

// A rule from the least and the largest response in the blocks that `rule_blocks` names, evenly chosen.
std::vector<std::size_t> rule_blocks(const SamplePlanes& planes);
BinRule choose_rule_ref(const BinFeature& feature, const SamplePlanes& planes);
BinRule choose_rule_cpu(const BinFeature& feature, const SamplePlanes& planes);

}  // namespace winnow
