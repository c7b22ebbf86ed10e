// Computes a feature's value for each sample as one byte: the bin of a Haar response, or the LBP code.
//
// Boosting reads only these bytes, from a table with one row per feature. The table keeps a row or computes
// it again.
//
// In:     features, and the samples' planes (`sample_planes.h`).
// Out:    one byte per sample of a chunk; rules (`bins_rule.h`) for Haar features.
// Exact:  the response is the one that the detector computes for the same pixels.
// Memory: the caller owns features, planes and bytes.
// Thread: any.
// Cost:   8 to 16 loads per byte.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/bins_rule.h"
#include "learn/feature_list.h"
#include "learn/sample_planes.h"

namespace winnow {

// A feature, given by its corners in the planes of a chunk of samples.
struct BinFeature {
  // Offsets of corners in a chunk's plane, in 32-bit values. Haar: four corners a, b, c, d per rectangle,
  // whose sum is a - b - c + d. LBP: the 4 x 4 corners of the cells, row by row.
  std::uint32_t corners[16];
  float weights[3];
  std::uint32_t rects;  // number of rectangles; 0 for an LBP feature
  bool tilted;
};
std::vector<BinFeature> bin_features(const FeatureList& list);

// A chunk's responses to a Haar feature: the values that the detector compares with a threshold.
void responses_ref(const BinFeature& feature, const SamplePlanes& planes, std::size_t chunk,
                   float (&responses)[kSampleChunk]);

// Writes kSampleChunk bytes to `bins`, one for each sample of a chunk. LBP features ignore `rule`.
void bin_chunk_ref(const BinFeature& feature, const BinRule& rule, const SamplePlanes& planes,
                   std::size_t chunk, std::uint8_t* bins);
void bin_chunk_cpu(const BinFeature& feature, const BinRule& rule, const SamplePlanes& planes,
                   std::size_t chunk, std::uint8_t* bins);

// Up to 16 chunks, evenly chosen, whose samples decide the rules. A rule covers the range from the smallest
// to the largest response of these samples.
std::vector<std::size_t> rule_chunks(const SamplePlanes& planes);
BinRule choose_rule_ref(const BinFeature& feature, const SamplePlanes& planes);
BinRule choose_rule_cpu(const BinFeature& feature, const SamplePlanes& planes);

}  // namespace winnow
