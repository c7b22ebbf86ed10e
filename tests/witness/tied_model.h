// Makes cascades whose node thresholds are exactly the values of windows of one picture, "synthetic/ties".
//
// In:     the window's size, or a generator.
// Out:    the picture, or a cascade.
// Exact:  the thresholds are computed from the pixels in OpenCV's order of float operations.
// Memory: the caller owns picture and model.
// Thread: any.
//
// A single wrong bit in a product or sum, or another order of additions, changes a branch. Each branch is one
// bit of the window's score. A tie that trained cascades meet once in a million windows occurs here often.
#pragma once

#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include "random.h"

namespace witness {

// The picture for a window of this size: noise, 90 pixels wider and 70 pixels higher than the window.
winnow::GrayImage make_ties_picture(winnow::Size window);
winnow::CascadeModel tied_model(Random random);

}  // namespace witness
