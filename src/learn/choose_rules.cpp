// Chooses the `BinRule` of each feature of a training, as learn/steps.h declares; its opening comment holds
// here.
#include <algorithm>

#include "base/share_work.h"
#include "learn/steps.h"

namespace winnow {
namespace {

// A table (`SplitKind::kTable`) has few bins. Its bins therefore divide the range of the usual responses.
// Extreme responses fall into the first or the last bin.
constexpr std::size_t kOutside = 100;  // at most one in 100 responses lies outside on each side

BinRule trim(const TrainSteps& steps, const BinFeature& feature, const SamplePlanes& planes, BinRule rule) {
  if (!(rule.per_unit > 0)) return rule;
  std::size_t counts[kBins] = {}, all = 0;
  std::uint8_t bins[kSampleChunk];
  for (const std::size_t chunk : rule_chunks(planes)) {
    steps.bin_chunk(feature, rule, planes, chunk, bins);
    const std::size_t count = std::min(kSampleChunk, planes.samples() - chunk * kSampleChunk);
    for (std::size_t i = 0; i < count; ++i) ++counts[bins[i]];
    all += count;
  }
  int first = 0, last = kBins - 1;
  for (std::size_t below = counts[0]; first < last && below <= all / kOutside; below += counts[++first]) {
  }
  for (std::size_t above = counts[last]; first < last && above <= all / kOutside; above += counts[--last]) {
  }
  return bin_rule(rule.low + static_cast<float>(first) / rule.per_unit,
                  rule.low + static_cast<float>(last + 1) / rule.per_unit);
}

}  // namespace

void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, WeakKind weak,
                  RunFeatures& features) {
  features.rules.assign(features.compiled.size(), {});
  if (features.list.kind != FeatureKind::kHaar) return;
  share_work(threads, features.compiled.size(), 1024, [&](std::size_t, std::size_t f) {
    features.rules[f] = steps.choose_rule(features.compiled[f], planes);
    if (weak == WeakKind::kTable)
      features.rules[f] = trim(steps, features.compiled[f], planes, features.rules[f]);
  });
}

}  // namespace winnow
