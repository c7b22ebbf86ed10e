#include "page/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "page/html.h"

namespace winnow {
namespace {

constexpr double kWidth = 600, kLeft = 64, kRight = 28, kTop = 34, kInnerHeight = 320, kFoot = 60;
constexpr double kInnerWidth = kWidth - kLeft - kRight, kLegendRow = 20;

// Colours that stay distinct for colour-blind readers, on white and on black. Dashes distinguish curves in
// print without colour.
constexpr std::array<const char*, 8> kColors = {"#1f77c4", "#d9660a", "#1a9e77", "#c060a0",
                                                "#8a8f00", "#c43c39", "#5a9bd0", "#8c6bb1"};
constexpr std::array<const char*, 8> kDashes = {"",    "9 4",          "2 3", "12 4 2 4",
                                                "5 3", "14 3 2 3 2 3", "1 4", "18 5"};

struct Tick {
  double value;
  bool labelled;
};

// About six ticks. Their distance is 1, 2 or 5 times a power of ten.
std::vector<Tick> linear_ticks(const PlotAxis& axis) {
  const double span = axis.high - axis.low;
  double step = round_limit(span / 8);
  if (span / step > 10) step *= 2;
  std::vector<Tick> ticks;
  const double first = std::ceil(axis.low / step - 1e-9);
  for (int i = 0; i < 24; ++i) {
    const double value = (first + i) * step;
    if (value > axis.high + step * 1e-6) break;
    ticks.push_back({value, true});
  }
  return ticks;
}

std::vector<Tick> log_ticks(const PlotAxis& axis) {
  const double decades = std::log10(axis.high / axis.low);
  const int first = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9)),
            last = static_cast<int>(std::ceil(std::log10(axis.high) - 1e-9));
  std::vector<Tick> ticks;
  for (int decade = first; decade <= last; ++decade) {
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, decade);
      if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
      ticks.push_back({value, digit == 1 || (decades < 3 && (digit == 2 || digit == 5))});
    }
  }
  return ticks;
}

std::string number_text(double value) {
  if (value == 0 || std::abs(value) < 1e-12) return "0";
  const double size = std::abs(value);
  if (size >= 9.9e-4 && size < 1e7) return fmt::format("{:.6g}", value);
  const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  return fmt::format("{:.3g}e{}", value / std::pow(10.0, exponent), exponent);
}

// The position along an axis: 0 to 1 inside the plot, and limited to -1 to 2 outside. On a logarithmic axis,
// zero lies at the beginning, so that points with the value 0 are visible.
double axis_position(const PlotAxis& axis, double value) {
  const double p = axis.log ? (value > 0 ? std::log(value / axis.low) / std::log(axis.high / axis.low) : 0.0)
                            : (value - axis.low) / (axis.high - axis.low);
  return std::clamp(p, -1.0, 2.0);
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {}

  std::string text() {
    const double bottom = kTop + kInnerHeight;
    const double height = bottom + kFoot + kLegendRow * static_cast<double>(plot_.series.size());
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" aria-label="{}" )"
        R"(font-family="sans-serif" font-size="13" fill="currentColor">)"
        "\n",
        kWidth, height, xml_text(plot_.title));
    add(R"(<text x="{}" y="20" font-size="16" font-weight="600">{}</text>)"
        "\n",
        kLeft, xml_text(plot_.title));
    grid();
    add(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)"
        "\n",
        kLeft + kInnerWidth / 2, bottom + 38, xml_text(plot_.x.label));
    add(R"--(<text transform="translate(18 {}) rotate(-90)" text-anchor="middle">{}</text>)--"
        "\n",
        kTop + kInnerHeight / 2, xml_text(plot_.y.label));
    // An inner <svg> cuts off everything outside the axes.
    add(R"(<svg x="{}" y="{}" width="{}" height="{}">)"
        "\n",
        kLeft, kTop, kInnerWidth, kInnerHeight);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) curve(plot_.series[i], i);
    add("</svg>\n");
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const double y = bottom + kFoot + kLegendRow * static_cast<double>(i);
      add(R"(<path d="M{} {}h46" {}/><text x="{}" y="{}">{}</text>)"
          "\n",
          kLeft, y, stroke(i), kLeft + 56, y + 4.5, xml_text(plot_.series[i].name));
    }
    add("</svg>\n");
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> pattern, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Values>(values)...);
  }

  static std::string stroke(std::size_t i) {
    const char* dashes = kDashes[i % kDashes.size()];
    return fmt::format(R"(fill="none" stroke="{}" stroke-width="2.2"{})", kColors[i % kColors.size()],
                       *dashes ? fmt::format(R"( stroke-dasharray="{}")", dashes) : std::string());
  }

  void grid() {
    const double bottom = kTop + kInnerHeight;
    for (const Tick& tick : plot_.x.log ? log_ticks(plot_.x) : linear_ticks(plot_.x)) {
      const double x = kLeft + kInnerWidth * axis_position(plot_.x, tick.value);
      add(R"(<path d="M{:.1f} {}v{}" stroke="currentColor" stroke-opacity="{}"/>)", x, kTop, kInnerHeight,
          tick.labelled ? 0.22 : 0.09);
      if (tick.labelled)
        add(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", x, bottom + 18,
            number_text(tick.value));
      add("\n");
    }
    for (const Tick& tick : plot_.y.log ? log_ticks(plot_.y) : linear_ticks(plot_.y)) {
      const double y = bottom - kInnerHeight * axis_position(plot_.y, tick.value);
      add(R"(<path d="M{} {:.1f}h{}" stroke="currentColor" stroke-opacity="{}"/>)", kLeft, y, kInnerWidth,
          tick.labelled ? 0.22 : 0.09);
      if (tick.labelled)
        add(R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", kLeft - 7, y + 4.5,
            number_text(tick.value));
      add("\n");
    }
    add(R"(<path d="M{} {}v{}h{}" fill="none" stroke="currentColor"/>)"
        "\n",
        kLeft, kTop, kInnerHeight, kInnerWidth);
  }

  void curve(const PlotSeries& series, std::size_t i) {
    std::string path;
    std::string last_x, last_y;
    std::size_t places = 0;
    for (const PlotPoint& point : series.points) {
      if (std::isnan(point.x) || std::isnan(point.y)) continue;
      // Points on the same tenth of a pixel become one, which keeps long curves short.
      const std::string x = fmt::format("{:.1f}", kInnerWidth * axis_position(plot_.x, point.x)),
                        y = fmt::format("{:.1f}", kInnerHeight * (1 - axis_position(plot_.y, point.y)));
      if (places > 0 && x == last_x && y == last_y) continue;
      if (places == 0) {
        path = "M" + x + " " + y;
      } else if (series.steps) {
        if (x != last_x) path += "H" + x;
        if (y != last_y) path += "V" + y;
      } else {
        path += "L" + x + " " + y;
      }
      last_x = x, last_y = y;
      ++places;
    }
    if (places == 0) return;
    add(R"(<path d="{}" {} stroke-linejoin="round"/>)"
        "\n",
        path, stroke(i));
    // Marks the end of the curve. A curve of one point has no other mark.
    add(R"(<circle cx="{}" cy="{}" r="3.5" fill="{}"/>)"
        "\n",
        last_x, last_y, kColors[i % kColors.size()]);
  }

  const Plot& plot_;
  std::string text_;
};

}  // namespace

std::string svg_plot(const Plot& plot) { return Drawing(plot).text(); }

double round_limit(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (value <= digit * decade * (1 + 1e-9)) return digit * decade;
  }
  return 10 * decade;
}

}  // namespace winnow
