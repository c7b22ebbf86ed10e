// Computes bytes of samples in plain loops, as learn/bins.h declares; its opening comment holds here.
#include <algorithm>

#include "learn/bins.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

std::uint32_t corner_place(int x, int y, int stride) {
  return static_cast<std::uint32_t>(static_cast<std::size_t>(y * stride + x) * kSampleChunk);
}

void place_rect(const Box& r, bool tilted, int stride, std::uint32_t* corners) {
  if (tilted) {
    corners[0] = corner_place(r.x, r.y, stride);
    corners[1] = corner_place(r.x - r.height, r.y + r.height, stride);
    corners[2] = corner_place(r.x + r.width, r.y + r.width, stride);
    corners[3] = corner_place(r.x + r.width - r.height, r.y + r.width + r.height, stride);
    return;
  }
  corners[0] = corner_place(r.x, r.y, stride);
  corners[1] = corner_place(r.x + r.width, r.y, stride);
  corners[2] = corner_place(r.x, r.y + r.height, stride);
  corners[3] = corner_place(r.x + r.width, r.y + r.height, stride);
}

}  // namespace

std::vector<BinFeature> bin_features(const FeatureList& list) {
  const int stride = list.window.width + 1;
  std::vector<BinFeature> features;
  features.reserve(static_cast<std::size_t>(list.size()));
  for (const HaarFeature& haar : list.haar) {
    BinFeature feature{};
    feature.tilted = haar.tilted;
    for (const HaarRect& rect : haar.rects) {
      if (rect.weight == 0.f) break;
      place_rect(rect.box, haar.tilted, stride, feature.corners + 4 * feature.rects);
      feature.weights[feature.rects++] = rect.weight;
    }
    features.push_back(feature);
  }
  for (const LbpFeature& lbp : list.lbp) {
    BinFeature feature{};
    for (int i = 0; i < 16; ++i) {
      feature.corners[i] =
          corner_place(lbp.cell.x + i % 4 * lbp.cell.width, lbp.cell.y + i / 4 * lbp.cell.height, stride);
    }
    features.push_back(feature);
  }
  return features;
}

void responses_ref(const BinFeature& feature, const SamplePlanes& planes, std::size_t chunk,
                   float (&responses)[kSampleChunk]) {
  const std::uint32_t* plane = feature.tilted ? planes.tilted(chunk) : planes.sums(chunk);
  for (std::size_t s = 0; s < kSampleChunk; ++s) {
    std::uint32_t sums[3] = {};
    for (std::uint32_t r = 0; r < feature.rects; ++r) {
      const std::uint32_t* corners = feature.corners + 4 * r;
      sums[r] = plane[corners[0] + s] - plane[corners[1] + s] - plane[corners[2] + s] + plane[corners[3] + s];
    }
    responses[s] = haar_value(feature.weights, sums) * planes.norms(chunk)[s];
  }
}

void bin_chunk_ref(const BinFeature& feature, const BinRule& rule, const SamplePlanes& planes,
                   std::size_t chunk, std::uint8_t* bins) {
  if (feature.rects > 0) {
    float responses[kSampleChunk];
    responses_ref(feature, planes, chunk, responses);
    for (std::size_t s = 0; s < kSampleChunk; ++s)
      bins[s] = static_cast<std::uint8_t>(bin_of(rule, responses[s]));
    return;
  }
  const std::uint32_t* plane = planes.sums(chunk);
  for (std::size_t s = 0; s < kSampleChunk; ++s) {
    const auto corner = [&](int x, int y) { return plane[feature.corners[4 * y + x] + s]; };
    std::uint32_t cells[9];
    for (int i = 0; i < 9; ++i) {
      const int x = i % 3, y = i / 3;
      cells[i] = corner(x, y) - corner(x + 1, y) - corner(x, y + 1) + corner(x + 1, y + 1);
    }
    bins[s] = static_cast<std::uint8_t>(lbp_code(cells));
  }
}

std::vector<std::size_t> rule_chunks(const SamplePlanes& planes) {
  constexpr std::size_t kRuleChunks = 16;
  std::vector<std::size_t> chunks;
  const std::size_t count = std::min(kRuleChunks, planes.chunks());
  for (std::size_t i = 0; i < count; ++i) chunks.push_back(i * planes.chunks() / count);
  return chunks;
}

BinRule choose_rule_ref(const BinFeature& feature, const SamplePlanes& planes) {
  float low = 0, high = 0;
  bool any = false;
  for (const std::size_t chunk : rule_chunks(planes)) {
    float responses[kSampleChunk];
    responses_ref(feature, planes, chunk, responses);
    const std::size_t count = std::min(kSampleChunk, planes.samples() - chunk * kSampleChunk);
    for (std::size_t s = 0; s < count; ++s) {
      low = any ? std::min(low, responses[s]) : responses[s];
      high = any ? std::max(high, responses[s]) : responses[s];
      any = true;
    }
  }
  return bin_rule(low, high);
}

}  // namespace winnow
