// Cascades made by the program, to go where trained ones seldom lead: early stages alone (many candidates),
// and small random ones with deep trees, tilted features, odd weights, windows whose sums leave 24 bits, sums
// that tie with their threshold.
#pragma once

#include <winnow/cascade_model.h>

#include "random.h"

namespace witness {

// The first `stages` stages of `model`, which has at least as many.
winnow::CascadeModel first_stages(winnow::CascadeModel model, int stages);
// Two or three rectangles inside `window`, often with fractional weights, a third of them tilted.
winnow::HaarFeature random_haar(Random& random, winnow::Size window);
winnow::CascadeModel random_model(Random random, winnow::FeatureKind kind);

}  // namespace witness
