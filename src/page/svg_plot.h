// Curves as an SVG picture. In: axes and series as plain data. Out: one <svg> element as text, which may
// stand in a page or, with its head, in a file: no scripts, no style sheets, no references. Text and grid
// take the colour of the text around them (`currentColor`), so that they are readable on light and dark
// ground; series differ in colour and in dashes. exact: the same text for the same data.
#pragma once

#include <string>
#include <vector>

namespace winnow {

struct PlotAxis {
  std::string label;
  double low = 0, high = 1;  // low < high; above 0 if `log`
  bool log = false;
};

struct PlotPoint {
  double x = 0, y = 0;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;  // points that are no numbers are left out
  bool steps = false;             // a level stays until the next x
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
};

std::string svg_plot(const Plot& plot);

// The least of 1, 2, 5, 10, 20, ... that is not below `value`.
double round_limit(double value);

}  // namespace winnow
