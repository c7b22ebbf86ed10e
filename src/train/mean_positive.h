// Computes the mean of a pack's positives, as a picture on which features and blocks are drawn.
//
// In:     a pack with positives, and the size of the area that is averaged, in the middle of each sample.
// Out:    each pixel's mean over all positives, rounded down.
// Exact:  integers.
// Memory: the picture belongs to the caller.
// Thread: any.
#pragma once

#include <winnow/image.h>
#include <winnow/pack.h>

namespace winnow {

GrayImage mean_positive(const Pack& pack, Size middle);

}  // namespace winnow
