// Times integral histograms on a processor, in float, float4, double and whole numbers, beside OpenCV's
// integrals of nine planes. Measures the drift of each kind of sums.
//
// In:     a grey picture, which is tiled to several sizes; the number of runs.
// Out:    a table: one row for each size and kind of sums.
// Memory: 2 GB for the largest size.
// Thread: one thread does the work. OpenCV must be set to one thread by the caller.
#pragma once

#include <winnow/image.h>

#include "results_file.h"

namespace bench {

ResultList integral_results(winnow::GrayView picture, int repeat);

}  // namespace bench
