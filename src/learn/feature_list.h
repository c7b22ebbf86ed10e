// Which features a window has.
// Out: features in a fixed order; their place in the list is their number, by which ties are broken. A pool
// is some of them, drawn at random, in the same order. Costs one walk over all features and the memory of
// those that are listed; no more than kMostFeatures are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/weak_learner.h>

namespace winnow {

inline constexpr std::int64_t kMostFeatures = 8'000'000;

struct FeatureList {
  FeatureKind kind = FeatureKind::kHaar;
  Size window;
  std::vector<HaarFeature> haar;
  std::vector<LbpFeature> lbp;
  bool tilted = false;  // some are

  int size() const { return static_cast<int>(kind == FeatureKind::kHaar ? haar.size() : lbp.size()); }
};

// `pool` features drawn by `seed`; 0, or as many as there are: all.
FeatureList list_features(FeatureSet set, Size window, std::int64_t pool, std::uint64_t seed);

}  // namespace winnow
