// Draws curves as an SVG picture.
//
// In:     axes and series as plain data. Their texts are escaped here.
// Out:    one <svg> element as text, for a page or for a file. The text has no scripts, style sheets or
//         references.
// Exact:  the same text for the same data.
// Memory: the text belongs to the caller.
// Thread: any.
//
// Text and grid take the colour of the text around them (`currentColor`), so that they are readable on light
// and dark ground. Series differ in colour and in dashes.
#pragma once

#include <string>
#include <vector>

namespace winnow {

struct PlotAxis {
  std::string label;
  double low = 0, high = 1;  // `low` is below `high`; both are above 0 if `log`
  bool log = false;
};

struct PlotPoint {
  double x = 0, y = 0;
};

struct PlotSeries {
  std::string name;
  // In the order of the curve. Points with NaN are left out, and the curve is cut off outside the axes. On a
  // logarithmic axis, values up to 0 lie at the beginning of the axis.
  std::vector<PlotPoint> points;
  bool steps = false;  // draws steps: y stays the same until the next point's x
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
};

std::string svg_plot(const Plot& plot);

// The smallest of the numbers ..., 0.5, 1, 2, 5, 10, 20, ... that is not below `value`. 1 if `value` is not
// above 0, or not finite.
double round_limit(double value);

}  // namespace winnow
