#include "eval/page_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/clean_text.h"
#include "eval/page_words.h"
#include "eval/report.h"
#include "page/html.h"
#include "page/svg_plot.h"

namespace winnow {
namespace {

// In the plot over false positives per window, the legend gives each model's miss rate at this rate.
constexpr ReportedRate kLegendRate = {"1e-4", 1e-4};

using Curves = std::vector<std::vector<RatePoint>>;  // one curve per model; empty if the model has none

// The largest power of ten that exceeds neither `bound` nor any positive x of the curves; at least 1e-9.
double lowest_x(const Curves& curves, double bound) {
  double least = bound;
  for (const auto& curve : curves) {
    for (const RatePoint& p : curve) {
      if (p.x > 0) least = std::min(least, p.x);
    }
  }
  return std::max(std::pow(10.0, std::floor(std::log10(least) + 1e-9)), 1e-9);
}

double highest_x(const Curves& curves, double bound) {
  double most = bound;
  for (const auto& curve : curves) {
    for (const RatePoint& p : curve) most = std::max(most, p.x);
  }
  return std::pow(10.0, std::ceil(std::log10(most) - 1e-9));
}

// The miss rate at the lower end of the axis: a round number from 1e-3 to 0.2. No miss rate of 1e-3 or more
// lies below it.
double lowest_rate(const Curves& one, const Curves& other) {
  double least = 0.5;
  for (const Curves* curves : {&one, &other}) {
    for (const auto& curve : *curves) {
      for (const RatePoint& p : curve) {
        if (p.y > 0) least = std::min(least, p.y);
      }
    }
  }
  return std::max(round_limit(least * 0.4), 1e-3);
}

class Figures {
 public:
  explicit Figures(const EvalReport& report)
      : report_(report),
        per_window_(each(&EvaluatedModel::windows, det_points)),
        per_picture_(each(&EvaluatedModel::pictures, miss_points)),
        least_(lowest_rate(per_window_, per_picture_)) {}

  std::string text() {
    const auto any = [&](auto member) {
      return std::any_of(report_.models.begin(), report_.models.end(),
                         [member](const EvaluatedModel& model) { return (model.*member).has_value(); });
    };
    const bool pictures = any(&EvaluatedModel::pictures);
    text_ = "<div class=\"plots\">\n";
    if (any(&EvaluatedModel::windows)) miss_rate_per_window();
    if (pictures) {
      miss_rate_per_picture();
      recall();
      precision();
    }
    return std::move(text_) + "</div>\n";
  }

 private:
  template <class Member, class Points>
  Curves each(Member member, Points points) const {
    Curves curves;
    for (const EvaluatedModel& model : report_.models)
      curves.push_back(model.*member ? points(*(model.*member)) : std::vector<RatePoint>());
    return curves;
  }

  // Draws one series per model. `begin` is a point before the first point of each curve. `figure` gives the
  // text that stands behind the model's name in the legend.
  template <class Figure>
  void draw(Plot plot, const Curves& curves, bool steps, std::optional<PlotPoint> begin, Figure figure,
            const std::string& caption) {
    for (std::size_t i = 0; i < curves.size(); ++i) {
      PlotSeries series{clean_text(report_.models[i].name) + figure(report_.models[i]), {}, steps};
      if (begin) series.points.push_back(*begin);
      for (const RatePoint& p : curves[i]) series.points.push_back({p.x, p.y});
      plot.series.push_back(std::move(series));
    }
    text_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg_plot(plot),
                         xml_text(caption));
  }

  static std::string no_figure(const EvaluatedModel&) { return {}; }

  void miss_rate_per_window() {
    const Plot plot{"Miss rate over false positives per window",
                    {"false positives per window", lowest_x(per_window_, 1e-5),
                     highest_x(per_window_, kReportedPerWindow.back().rate), true},
                    {"miss rate", least_, 1, true},
                    {}};
    const auto figure = [](const EvaluatedModel& model) {
      return model.windows ? fmt::format(": {} at {}", percent(model.windows->miss_rate_at(kLegendRate.rate)),
                                         kLegendRate.name)
                           : std::string();
    };
    draw(plot, per_window_, true, PlotPoint{0, 1}, figure,
         "Crops that a stage rejects are missed; windows are counted on the grid, those that are skipped "
         "too. Points without false positives lie on the left edge. A dot is the end of a curve.");
  }

  void miss_rate_per_picture() {
    const Plot plot{
        "Miss rate over false positives per picture",
        {"false positives per picture", lowest_x(per_picture_, 1e-2), highest_x(per_picture_, 1), true},
        {"miss rate", least_, 1, true},
        {}};
    const auto figure = [](const EvaluatedModel& model) {
      return model.pictures ? fmt::format(": {}", percent(model.pictures->log_average_miss_rate()))
                            : std::string();
    };
    draw(plot, per_picture_, true, PlotPoint{0, 1}, figure,
         "Beside the name: the log-average miss rate, the geometric mean of the miss rates at nine rates "
         "from 0.01 to 1 false positives per picture. Points without false positives lie on the left edge. A "
         "dot is the end of a curve.");
  }

  void recall() {
    std::int64_t most = 1, labels = 0;
    for (const EvaluatedModel& model : report_.models) {
      if (!model.pictures) continue;
      most = std::max(most, model.pictures->wrong());
      labels = std::max(labels, model.pictures->labels);
    }
    // The interesting range has fewer false positives than objects.
    const double limit =
        round_limit(static_cast<double>(std::min(most, std::max<std::int64_t>(labels, 100))));
    std::string caption = "Steps: the recall with at most so many false positives.";
    if (static_cast<double>(most) > limit)
      caption += fmt::format(" Up to {} false positives; curves.csv has the rest.", limit);
    const Plot plot{"Recall over false positives",
                    {"false positives, all pictures (count)", 0, limit, false},
                    {"recall", 0, 1, false},
                    {}};
    draw(plot, each(&EvaluatedModel::pictures, roc_points), true, PlotPoint{0, 0}, no_figure, caption);
  }

  void precision() {
    const Plot plot{"Precision over recall", {"recall", 0, 1, false}, {"precision", 0, 1, false}, {}};
    draw(plot, each(&EvaluatedModel::pictures, precision_points), false, std::nullopt, no_figure,
         "As measured; the average precision is the area under its upper hull from the right: at each recall "
         "the best precision at that recall or above.");
  }

  const EvalReport& report_;
  Curves per_window_, per_picture_;
  double least_;
  std::string text_;
};

}  // namespace

std::string curve_figures(const EvalReport& report) { return Figures(report).text(); }

}  // namespace winnow
