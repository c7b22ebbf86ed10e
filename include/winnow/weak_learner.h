// Names the features and weak classifiers of a trained cascade, and how they are boosted.
//
// In:     a choice; for `count_features` a window, too.
// Out:    the name of the choice, or the number of features.
// Exact:  counts are whole numbers, the same on every machine.
// Memory: names live as long as the program.
#pragma once

#include <cstdint>

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

enum class FeatureSet {
  kHaar,      // the five classic kinds, upright: 162,336 features in a 24x24 window
  kHaarMore,  // kHaar and three more upright kinds: two lines of four cells, and the centre of 3 x 3 cells
  // OpenCV's full set: kHaarMore, and six of its kinds tilted by 45 degrees. The checkerboard of 2 x 2 cells
  // and the centre are only upright.
  kHaarTilted,
  kLbp,  // grids of 3 x 3 equal cells
};
WINNOW_API const char* feature_set_name(FeatureSet set);  // "haar", "haar-more", "haar-tilted", "lbp"
// Counts feature by feature, so a large window takes long. 0 if the window is too small for any feature.
WINNOW_API std::int64_t count_features(FeatureSet set, Size window);

enum class BoostKind { kGentle, kReal, kDiscrete };
WINNOW_API const char* boost_kind_name(BoostKind kind);  // "gentle", "real", "discrete"

enum class WeakKind {
  kTree,   // a tree of thresholds, or of LBP subsets
  kTable,  // a leaf for each of 16 bins of one Haar feature
};
WINNOW_API const char* weak_kind_name(WeakKind kind);  // "tree", "table"

}  // namespace winnow
