// One case: a model, a picture, and everything about the call. Drawn from (seed, model, picture) alone; the
// work is kept within a budget of windows by taking every k-th pixel, so that thousands of cases fit the
// time.
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
  int every = 1;                  // every k-th pixel in x and y
  winnow::Box crop;               // of what is left; a view with a stride of its own unless it is the whole
  double windows = 0;             // about how many the scan will visit
};

// The pixels of a case. The view points into `pixels`, which may be larger.
struct Prepared {
  SharedGray pixels;
  winnow::GrayView view;
};

// Windows that a scan with these options has on its grid, about.
double estimate_windows(winnow::Size window, winnow::Size picture, const winnow::DetectOptions& options);

// `budget`: windows of a usual case; one in five may have more, up to eight times.
Case draw_case(const CaseId& id, winnow::Size window, winnow::Size picture, double budget);
Prepared prepare(const Case& c, const SharedGray& picture);

// "scale 1.1 neighbours 3 min 24x24 max 0x0, every 2nd pixel, crop 10,20,100,80"
std::string describe(const Case& c);

}  // namespace witness
