#include "eval/landmark_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "eval/landmark_rule.h"
#include "eval/page_words.h"
#include "page/face_contours.h"
#include "page/svg_plot.h"

namespace winnow {
namespace {

std::string figure(const std::string& drawing, const std::string& caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", drawing, caption);
}

// The error at the right edge of a plot, in percent, from 1 to 100. About 99 % of each model's faces have at
// most this error.
double error_limit(const LandmarkReport& report, LandmarkNorm norm) {
  double most = 0;
  for (const EvaluatedLandmarks& model : report.models) {
    const std::vector<double>& curve = model.faces.of(norm).curve;
    if (!curve.empty()) most = std::max(most, curve[(curve.size() - 1) * 99 / 100]);
  }
  return std::clamp(round_limit(100 * most), 1.0, 100.0);
}

std::string curves_of(const LandmarkReport& report, LandmarkNorm norm) {
  const double limit = error_limit(report, norm);
  Plot plot{fmt::format("Faces up to an error, by {}", norm_words(norm)),
            {fmt::format("error in % of {}", norm_words(norm)), 0, limit, false},
            {"share of found faces", 0, 1, false},
            {}};
  for (const EvaluatedLandmarks& model : report.models) {
    const NormErrors& errors = model.faces.of(norm);
    if (errors.curve.empty()) continue;
    PlotSeries series{
        fmt::format("{}: mean {}", clean_text(model.name), percent(errors.mean, 2)), {{0, 0}}, true};
    const double faces = static_cast<double>(errors.curve.size());
    for (std::size_t i = 0; i < errors.curve.size(); ++i)
      series.points.push_back({100 * errors.curve[i], static_cast<double>(i + 1) / faces});
    plot.series.push_back(std::move(series));
  }
  return plot.series.empty() ? std::string()
                             : figure(svg_plot(plot), "Faces that were not found are in no curve.");
}

std::string reliability_of(const LandmarkReport& report) {
  Plot plot{"Stated and observed probability of points",
            {"stated probability that a point is right", 0, 1, false},
            {"share of points that are right", 0, 1, false},
            {{"exact statements", {{0, 0}, {1, 1}}, false}}};
  std::string distances;
  for (const EvaluatedLandmarks& model : report.models) {
    if (!model.faces.reliability) continue;
    const Reliability& reliability = *model.faces.reliability;
    PlotSeries series{
        fmt::format("{}: mean difference {}", clean_text(model.name), plain(reliability.difference())),
        {},
        false};
    for (const ReliabilityBin& bin : reliability.bins) series.points.push_back({bin.stated, bin.observed});
    plot.series.push_back(std::move(series));
    distances +=
        fmt::format("{}{} of {} ({})", distances.empty() ? "" : ", ", percent(reliability.distance),
                    norm_words(model.faces.scheme.has_eyes() ? LandmarkNorm::kPupils : LandmarkNorm::kSide),
                    clean(model.name));
  }
  if (distances.empty()) return {};
  return figure(svg_plot(plot), "Tenths of the stated probability. A point is right within " + distances +
                                    ". Tenths without points are left out.");
}

// The mean of the labels' points over all found faces. For each face, the middle of the box around its points
// is (0, 0), and the side of that box is the unit. Faces with another number of points than the first face
// are left out.
std::vector<Point> mean_shape(const LandmarkReport& report, const LandmarkEvaluation& faces) {
  std::vector<Point> mean;
  double count = 0;
  for (const JudgedFace& face : faces.found) {
    const std::vector<Point>& points = report.pictures[face.picture].labels[face.label].points;
    const RealBox box = box_around(points);
    const double side = lengths_of(points, {}).side;
    if (std::isnan(side) || (!mean.empty() && mean.size() != points.size())) continue;
    mean.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      mean[i].x += (points[i].x - box.x - box.width / 2) / side;
      mean[i].y += (points[i].y - box.y - box.height / 2) / side;
    }
    ++count;
  }
  for (Point& point : mean) point = {point.x / count, point.y / count};
  return mean;
}

double mean_error(std::span<const double> points, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i <= last; ++i) sum += points[i];
  return sum / static_cast<double>(last - first + 1);
}

std::string parts_of_face(const LandmarkEvaluation& e, std::span<const double> points, LandmarkNorm norm) {
  constexpr std::size_t kAllPoints = 68;
  if (points.size() != kAllPoints || e.scheme.names.size() != kAllPoints ||
      e.scheme.names.front() != "ibug 0")
    return {};
  return fmt::format(" Of {}: jaw {}, brows {}, nose {}, eyes {}, lips {}.", norm_words(norm),
                     percent(mean_error(points, 0, 16), 2), percent(mean_error(points, 17, 26), 2),
                     percent(mean_error(points, 27, 35), 2), percent(mean_error(points, 36, 47), 2),
                     percent(mean_error(points, 48, 67), 2));
}

std::string drawing_of(const LandmarkReport& report, const EvaluatedLandmarks& model) {
  const LandmarkEvaluation& e = model.faces;
  const std::vector<double>& radii = e.of(LandmarkNorm::kSide).points;
  if (radii.empty()) return {};
  const std::vector<double>& errors = e.of(e.main_norm()).points;
  const std::vector<Point> mean = mean_shape(report, e);
  if (mean.empty() || e.label_points.size() != radii.size()) return {};
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-0.7 -0.7 1.4 1.4\" role=\"img\" "
      "aria-label=\"error of each point\" fill=\"none\">\n";
  const auto out = std::back_inserter(text);
  for (const auto& [from, to] : shape_lines(mean)) {
    fmt::format_to(out, "<path d=\"M{:.4f} {:.4f}L{:.4f} {:.4f}\" stroke=\"currentColor\" ", mean[from].x,
                   mean[from].y, mean[to].x, mean[to].y);
    fmt::format_to(out, "stroke-opacity=\"0.45\" stroke-width=\"0.004\" stroke-linecap=\"round\"/>\n");
  }
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const Point& middle = mean[e.label_points[i]];
    fmt::format_to(out, "<circle cx=\"{:.4f}\" cy=\"{:.4f}\" r=\"{:.4f}\" fill=\"{}\" ", middle.x, middle.y,
                   radii[i], kFoundColor);
    fmt::format_to(out, "fill-opacity=\"0.4\" stroke=\"{}\" stroke-width=\"0.003\">", kFoundColor);
    fmt::format_to(out, "<title>point {}: {}</title></circle>\n", e.label_points[i], percent(errors[i], 2));
  }
  text += "</svg>\n";
  return figure(text, fmt::format("{}: a circle's radius is the mean error of its point.{}",
                                  clean(model.name), parts_of_face(e, errors, e.main_norm())));
}

}  // namespace

const char* norm_words(LandmarkNorm norm) {
  switch (norm) {
    case LandmarkNorm::kPupils:
      return "the pupils' distance";
    case LandmarkNorm::kEyeCorners:
      return "the eye corners' distance";
    case LandmarkNorm::kSide:
      return "the side of the box";
    case LandmarkNorm::kRoot:
      return "eye corners and points, of the root of squares";
  }
  return "";
}

std::string landmark_curves(const LandmarkReport& report) {
  std::string text = "<div class=\"plots\">\n";
  for (const LandmarkNorm norm : kLandmarkNorms) text += curves_of(report, norm);
  return text + reliability_of(report) + "</div>\n";
}

std::string point_errors(const LandmarkReport& report) {
  std::string text = "<div class=\"plots\">\n";
  for (const EvaluatedLandmarks& model : report.models) text += drawing_of(report, model);
  return text + "</div>\n";
}

RealBox box_of_points(const Label& label, const Shape& shape) {
  std::vector<Point> all = label.points;
  for (const LandmarkPoint& point : shape.points) all.push_back({point.x, point.y});
  return box_around(all);
}

std::string points_over(const Thumb& thumb, const RealBox& place, const Label& label, const Shape& shape,
                        const LandmarkEvaluation& compared) {
  std::vector<Point> wanted, found;
  for (std::size_t i = 0; i < compared.label_points.size(); ++i) {
    const LandmarkPoint& point = shape.points[compared.shape_points[i]];
    wanted.push_back(label.points[compared.label_points[i]]);
    found.push_back({point.x, point.y});
  }
  return points_over(thumb, place, wanted, found);
}

}  // namespace winnow
