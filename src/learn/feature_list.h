// Lists all features of a window, or a pool: some features, drawn at random.
//
// In:     a set of features and a window; for a pool, its size and a seed.
// Out:    features in a fixed order. A feature's number is its place in the list. The lower number wins ties.
// Exact:  the same arguments give the same list. The features of a pool stand in the order of the whole list.
// Memory: the caller owns the list.
// Cost:   two walks over all features, and memory for the listed features. Throws kLimit beyond
//         kMostFeatures.
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
  bool tilted = false;  // whether some features are tilted

  int size() const { return static_cast<int>(kind == FeatureKind::kHaar ? haar.size() : lbp.size()); }
};

// Lists `pool` features, drawn at random by `seed`. Lists all features if `pool` is 0 or too large.
FeatureList list_features(FeatureSet set, Size window, std::int64_t pool, std::uint64_t seed);

}  // namespace winnow
