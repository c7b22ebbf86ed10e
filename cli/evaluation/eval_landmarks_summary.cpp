#include "evaluation/eval_landmarks_summary.h"

#include <fmt/format.h>
#include <winnow/answer.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "evaluation/eval_words.h"
#include "terminal/text.h"

namespace winnow::cli {
namespace {

// Errors divided by the side always have a row, so that a model that found no face has a row, too.
bool has_row(const LandmarkEvaluation& e, LandmarkNorm norm) {
  return norm == LandmarkNorm::kSide || !e.of(norm).curve.empty();
}

void add_errors(std::string& text, const LandmarkReport& report) {
  const auto out = std::back_inserter(text);
  std::size_t width = 5, boxes = 5;
  for (const EvaluatedLandmarks& model : report.models) {
    width = std::max(width, printable(model.name).size());
    boxes = std::max(boxes, printable(model.boxes).size());
  }
  fmt::format_to(out, "{:<{}}  {:<{}}{:>7}{:>8}  {:<11}{:>7}{:>8}", "model", width, "boxes", boxes, "found",
                 "missed", "divided by", "mean", "median");
  for (const double error : kReportedLandmarkErrors)
    fmt::format_to(out, "{:>7}", fmt::format(">{:.0f}%", 100 * error));
  fmt::format_to(out, "{:>7}{:>9}\n", "area", "seconds");
  for (const EvaluatedLandmarks& model : report.models) {
    const LandmarkEvaluation& e = model.faces;
    bool first = true;
    for (const LandmarkNorm norm : kLandmarkNorms) {
      if (!has_row(e, norm)) continue;
      const NormErrors& errors = e.of(norm);
      if (first) {
        fmt::format_to(out, "{:<{}}  {:<{}}{:>7}{:>8}", printable(model.name), width, printable(model.boxes),
                       boxes, e.found.size(), e.missed.size());
      } else {
        text.append(width + boxes + 17, ' ');
      }
      fmt::format_to(out, "  {:<11}{:>7}{:>8}", landmark_norm_name(norm), percent(errors.mean, 2),
                     percent(errors.median, 2));
      for (const double error : kReportedLandmarkErrors)
        fmt::format_to(out, "{:>7}", percent(errors.above(error)));
      fmt::format_to(out, "{:>7}", plain(errors.area_to(kReportedLandmarkErrors.front())));
      if (first) fmt::format_to(out, "{:>9.2f}", model.fit_seconds);
      text += '\n';
      first = false;
    }
  }
}

void add_confidence(std::string& text, const LandmarkReport& report) {
  const auto out = std::back_inserter(text);
  for (const EvaluatedLandmarks& model : report.models) {
    if (!model.faces.reliability) continue;
    const Reliability& reliability = *model.faces.reliability;
    fmt::format_to(out, "confidence of {}: mean difference {}\nstated  ", printable(model.name),
                   plain(reliability.difference()));
    for (const ReliabilityBin& bin : reliability.bins) fmt::format_to(out, "{:>8}", plain(bin.stated));
    text += "\nobserved";
    for (const ReliabilityBin& bin : reliability.bins) fmt::format_to(out, "{:>8}", plain(bin.observed));
    text += "\npoints  ";
    for (const ReliabilityBin& bin : reliability.bins) fmt::format_to(out, "{:>8}", bin.points);
    text += '\n';
  }
}

nlohmann::ordered_json norm_json(const NormErrors& errors) {
  nlohmann::ordered_json json;
  json["mean"] = number(errors.mean);
  json["median"] = number(errors.median);
  for (const double error : kReportedLandmarkErrors)
    json["above"][fmt::format("{}", error)] = number(errors.above(error));
  json["area"] = number(errors.area_to(kReportedLandmarkErrors.front()));
  return json;
}

}  // namespace

std::string landmark_summary_text(const LandmarkReport& report, const std::string& folder) {
  std::string text;
  add_errors(text, report);
  const LandmarkEvaluation& first = report.models.front().faces;
  fmt::format_to(
      std::back_inserter(text),
      "{} in {}. Errors of found faces in percent: the mean distance of the points, divided by a "
      "length of the marked face; root: the root of the sum of squares, divided by eye corners and "
      "number of points; area: under the cumulative curve up to {:.0f} %, 1 is perfect.\n",
      counted(first.faces, "face"), counted(first.pictures, "picture"),
      100 * kReportedLandmarkErrors.front());
  add_confidence(text, report);
  if (report.unread > 0) text += counted(report.unread, "picture") + " could not be searched: left out.\n";
  return text + "See " + printable(folder) + "/index.html\n";
}

std::string landmark_summary_json(const LandmarkReport& report, const std::string& folder) {
  nlohmann::ordered_json json;
  json["out"] = clean_utf8(folder);
  json["pictures"] = report.pictures.size();
  json["unread"] = report.unread;
  json["models"] = nlohmann::ordered_json::array();
  for (const EvaluatedLandmarks& model : report.models) {
    const LandmarkEvaluation& e = model.faces;
    nlohmann::ordered_json each;
    each["name"] = clean_utf8(model.name);
    each["boxes"] = clean_utf8(model.boxes);
    each["faces"] = e.faces;
    each["found"] = e.found.size();
    each["missed"] = e.missed.size();
    for (const LandmarkNorm norm : kLandmarkNorms)
      each["errors"][landmark_norm_name(norm)] = norm_json(e.of(norm));
    each["confidence_difference"] =
        e.reliability ? number(e.reliability->difference()) : number(std::nan(""));
    each["search_seconds"] = model.search_seconds;
    each["fit_seconds"] = model.fit_seconds;
    json["models"].push_back(each);
  }
  return json.dump() + "\n";
}

}  // namespace winnow::cli
