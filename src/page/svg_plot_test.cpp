#include "page/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "page/html.h"

namespace winnow {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

Plot line() {
  return {
      "Title", {"count", 0, 10, false}, {"rate", 0, 1, false}, {{"one", {{0, 0}, {5, 0.5}, {10, 1}}, false}}};
}

TEST(SvgPlot, AnEmptyPlotHasAxes) {
  const std::string svg = svg_plot({"Nothing", {"x", 0, 1, false}, {"y", 0, 1, false}, {}});
  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr(">0.2<"));
  EXPECT_EQ(count_of(svg, "<svg"), count_of(svg, "</svg>"));
}

TEST(SvgPlot, ALineAndStepsOverTheSamePoints) {
  Plot plot = line();
  // The inner width is 508 and the height 320. The middle is (254, 160).
  EXPECT_THAT(svg_plot(plot), HasSubstr("M0.0 320.0L254.0 160.0L508.0 0.0\""));
  plot.series[0].steps = true;
  EXPECT_THAT(svg_plot(plot), HasSubstr("M0.0 320.0H254.0V160.0H508.0V0.0\""));
}

TEST(SvgPlot, LogarithmicAxes) {
  Plot plot = line();
  plot.x = {"rate", 0.01, 100, true};
  plot.series[0].points = {{0.01, 0}, {1, 0.5}, {100, 1}};
  const std::string svg = svg_plot(plot);
  EXPECT_THAT(svg, HasSubstr("M0.0 320.0L254.0 160.0L508.0 0.0\""));
  for (const char* label : {">0.01<", ">0.1<", ">1<", ">10<", ">100<"}) EXPECT_THAT(svg, HasSubstr(label));
  EXPECT_THAT(svg, Not(HasSubstr(">20<")));
  plot.x = {"rate", 1, 10, true};
  EXPECT_THAT(svg_plot(plot), HasSubstr(">2<"));
  plot.x = {"rate", 1e-7, 1, true};
  EXPECT_THAT(svg_plot(plot), HasSubstr(">1e-6<"));
}

TEST(SvgPlot, NothingLiesAtTheBeginningOfALogarithmicAxis) {
  Plot plot{"T", {"x", 1e-3, 1, true}, {"y", 0.01, 1, true}, {{"never wrong", {{0, 1}, {0, 0.1}}, false}}};
  EXPECT_THAT(svg_plot(plot), HasSubstr("M0.0 0.0L0.0 160.0\""));
}

TEST(SvgPlot, WhatIsNoNumberIsLeftOutAndWhatIsFarStaysFinite) {
  Plot plot = line();
  const double nan = std::numeric_limits<double>::quiet_NaN(), far = std::numeric_limits<double>::infinity();
  plot.series[0].points = {{0, nan}, {nan, 0}, {0, 0}, {far, 1}, {1e300, -far}};
  const std::string svg = svg_plot(plot);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  plot.x.low = 0.1;
  plot.x.log = true;
  plot.series[0].points = {{0, 0.5}, {-1, 0.5}, {1, 0.5}};
  EXPECT_THAT(svg_plot(plot), HasSubstr("M0.0 160.0L"));
}

TEST(SvgPlot, PointsOnOnePlaceAreOne) {
  Plot plot = line();
  plot.series[0].points.assign(100000, {5, 0.5});
  EXPECT_LT(svg_plot(plot).size(), 6000u);
}

TEST(SvgPlot, SeriesDifferInDashes) {
  Plot plot = line();
  plot.series.push_back({"two", {{0, 1}}, false});
  plot.series.push_back({"three", {{0, 1}}, false});
  const std::string svg = svg_plot(plot);
  // A curve, and its entry in the legend.
  EXPECT_EQ(count_of(svg, "stroke-dasharray=\"9 4\""), 2u);
  EXPECT_EQ(count_of(svg, "stroke-dasharray=\"2 3\""), 2u);
  EXPECT_THAT(svg, HasSubstr(">three<"));
}

TEST(SvgPlot, WordsCannotBreakOut) {
  Plot plot = line();
  plot.title = plot.x.label = plot.y.label = plot.series[0].name = "<b \"a\" & 'c'>";
  const std::string svg = svg_plot(plot);
  EXPECT_THAT(svg, Not(HasSubstr("<b")));
  EXPECT_EQ(xml_text("<b \"a\" & 'c'>"), "&lt;b &quot;a&quot; &amp; &#39;c&#39;&gt;");
}

TEST(SvgPlot, RoundLimits) {
  EXPECT_EQ(round_limit(1), 1);
  EXPECT_EQ(round_limit(1.1), 2);
  EXPECT_EQ(round_limit(82), 100);
  EXPECT_EQ(round_limit(200), 200);
  EXPECT_DOUBLE_EQ(round_limit(0.03), 0.05);
  EXPECT_EQ(round_limit(0), 1);
  EXPECT_EQ(round_limit(std::numeric_limits<double>::quiet_NaN()), 1);
}

}  // namespace
}  // namespace winnow
