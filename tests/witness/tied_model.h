// Makes cascades whose node thresholds are exactly the values of windows of one picture, "synthetic/ties".
//
// In:     the window's size, or a generator.
// Out:    the picture, or a cascade.
// Exact:  the thresholds are computed from the pixels in OpenCV's order of float operations.
// Memory: the caller owns picture and model.
// Thread: any.
//
// One bit more or less in a product, a sum or their order changes a branch. The bits of a window's score are
// its branches. A tie that trained cascades meet once in a million windows occurs here in each window.
#pragma once

#include <winnow/cascade_model.h>
#include <winnow/image.h>

#include "random.h"

namespace witness {

// The picture for a window of this size: noise, 90 pixels wider and 70 pixels higher.
winnow::GrayImage make_ties_picture(winnow::Size window);
winnow::CascadeModel tied_model(Random random);

}  // namespace witness
