// Random small cascades for the tests of this room, made for a picture: thresholds are values that its
// windows really have, so that a good part of them passes each stage and ties are met.
#pragma once

#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include "sieve/random_for_test.h"

namespace winnow::sample {

struct Recipe {
  FeatureKind kind = FeatureKind::kHaar;
  Size window{24, 24};
  int stages = 3;
  int most_trees = 8;  // of a stage
  int most_nodes = 1;  // of a tree
  bool tilted = false;
  bool classic = false;    // features of trained cascades' forms only; in windows of 3 x 3 or more
  bool running = false;    // sums are carried from stage to stage
  bool tables = false;     // instead of trees; Haar
  int grids = 0;           // running tables: so many stages of LBP stumps after the others
  bool fractions = false;  // weights that are no integers, and some extreme ones
};

Recipe random_recipe(Random& random);
CascadeModel random_cascade(Random& random, const Recipe& recipe, GrayView picture);

}  // namespace winnow::sample
