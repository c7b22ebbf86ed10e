// Draws a case at random: a model, a picture, and all options of the call.
//
// In:     seed, names of model and picture, sizes of window and picture, and a budget of windows.
// Out:    a case, and the pixels to search.
// Exact:  a case depends only on these inputs, so one command repeats it.
// Memory: `Prepared` shares or owns its pixels.
// Thread: any.
//
// If a case would exceed the budget, it takes only every k-th pixel, so that thousands of cases take minutes.
#pragma once

#include <winnow/detector.h>
#include <cstdint>
#include <string>

#include "pictures.h"

namespace witness {

struct CaseId {
  std::string model, picture;
  std::uint64_t seed = 1;
};

struct Case {
  CaseId id;
  winnow::DetectOptions options;  // `raw` is false
  int every = 1;                  // k: only every k-th pixel along x and y is taken
  winnow::Box crop;               // a box in the reduced picture; the view keeps that picture's stride
  double windows = 0;             // estimated number of windows of the scan
};

// The pixels of a case. The view points into `pixels`, which may be a larger picture.
struct Prepared {
  SharedGray pixels;
  winnow::GrayView view;
};

// Estimates the number of windows on the grid of a scan with these options.
double estimate_windows(winnow::Size window, winnow::Size picture, const winnow::DetectOptions& options);

// `budget` is the most windows of a usual case. Three cases in 20 may have up to three times as many windows,
// and one case in 20 up to eight times as many.
Case draw_case(const CaseId& id, winnow::Size window, winnow::Size picture, double budget);
Prepared prepare(const Case& c, const SharedGray& picture);

// "scale 1.1 neighbours 3 min 24x24 max 0x0, every 2nd pixel, crop 10,20,100,80"
std::string describe(const Case& c);

}  // namespace witness
