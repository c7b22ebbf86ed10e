// Makes random small cascades for tests.
//
// In:     a seeded `Random`, a recipe, and a grey picture at least as large as the window.
// Out:    a canonical model. Its thresholds are values that windows of the picture really have, so that many
//         windows pass each stage and some values equal a threshold.
// Exact:  the same model for the same seed, recipe and picture.
// Memory: the model is the caller's and does not refer to the picture.
#pragma once

#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include "sieve/random_for_test.h"

namespace winnow::sample {

struct Recipe {
  FeatureKind kind = FeatureKind::kHaar;
  Size window{24, 24};
  int stages = 3;
  int most_trees = 8;  // per stage
  int most_nodes = 1;  // per tree
  bool tilted = false;
  bool classic = false;    // only shapes as in trained cascades; for windows of at least 3 x 3
  bool running = false;    // the sum continues from stage to stage
  bool tables = false;     // tables instead of trees; Haar only
  int grids = 0;           // stages of LBP stumps that follow the tables; only with `running` and `tables`
  bool fractions = false;  // fractional weights, some of them extreme
};

Recipe random_recipe(Random& random);
CascadeModel random_cascade(Random& random, const Recipe& recipe, GrayView picture);

}  // namespace winnow::sample
