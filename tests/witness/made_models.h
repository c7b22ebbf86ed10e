// Makes cascades for paths that trained cascades seldom take.
//
// In:     a trained model, or a generator of random numbers and a kind of features.
// Out:    the first stages of a model, which pass many candidates; or a small random cascade. A random
//         cascade has deep trees, tilted features and odd weights. Sums of its windows' pixels may exceed 24
//         bits, and a stage's sum may equal the stage's threshold.
// Exact:  the same cascade for the same seed.
// Memory: the caller owns the models.
// Thread: any.
#pragma once

#include <winnow/cascade_model.h>

#include "random.h"

namespace witness {

// The first `stages` stages of `model`, which must have at least as many.
winnow::CascadeModel first_stages(winnow::CascadeModel model, int stages);
// Two or three rectangles inside `window`, often with fractional weights, a third of them tilted.
winnow::HaarFeature random_haar(Random& random, winnow::Size window);
winnow::CascadeModel random_model(Random random, winnow::FeatureKind kind);

}  // namespace witness
