// Cascades whose node thresholds are exactly the values of windows of one picture, "synthetic/ties", computed
// here from the pixels in OpenCV's order of float operations. One bit more or less in a product, a sum or its
// order turns a branch, and the score of a window is a number whose bits are the branches. What trained
// cascades decide once in a million windows is decided here in each.
#pragma once

#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include "random.h"

namespace witness {

// The picture for a window of this size: noise, 90 x 70 pixels larger.
winnow::GrayImage make_ties_picture(winnow::Size window);
winnow::CascadeModel tied_model(Random random);

}  // namespace witness
