// Writes an evaluation of landmarks as JSON and CSV, and as files in a folder, as winnow/eval_landmarks.h
// declares.
// Numbers have their shortest exact form, so equal reports give equal bytes.
#include "eval/landmark_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "eval/json_parts.h"
#include "eval/report.h"

namespace winnow {
namespace {

Json list_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number_json(value));
  return json;
}

Json norm_json(const NormErrors& norm) {
  Json json;
  json["faces"] = norm.faces();
  json["mean"] = number_json(norm.mean);
  json["median"] = number_json(norm.median);
  for (const double error : kReportedLandmarkErrors)
    json["above"][fmt::format("{}", error)] = number_json(norm.above(error));
  json["area"] = number_json(norm.area_to(kReportedLandmarkErrors.front()));
  json["curve"] = list_json(norm.curve);
  json["points"] = list_json(norm.points);
  return json;
}

Json reliability_json(const Reliability& reliability) {
  Json json;
  json["distance"] = reliability.distance;
  json["points"] = reliability.points();
  json["difference"] = number_json(reliability.difference());
  json["bins"] = Json::array();
  for (const ReliabilityBin& bin : reliability.bins)
    json["bins"].push_back({{"points", bin.points},
                            {"stated", number_json(bin.stated)},
                            {"observed", number_json(bin.observed)}});
  return json;
}

Json model_json(const EvaluatedLandmarks& model) {
  const LandmarkEvaluation& e = model.faces;
  Json json;
  json["name"] = clean_text(model.name);
  json["file"] = clean_text(model.file);
  json["points"] = model.points;
  json["boxes"] = clean_text(model.boxes);
  json["search"] = model.detect ? search_json(*model.detect) : Json(nullptr);
  json["backend"] = model.backend;
  json["search_seconds"] = model.search_seconds;
  json["fit_seconds"] = model.fit_seconds;
  json["faces"] = e.faces;
  json["left_out"] = e.left_out;
  json["found"] = e.found.size();
  json["missed"] = e.missed.size();
  json["compared_points"] = e.points;
  for (const LandmarkNorm norm : kLandmarkNorms)
    json["errors"][landmark_norm_name(norm)] = norm_json(e.of(norm));
  json["reliability"] = e.reliability ? reliability_json(*e.reliability) : Json(nullptr);
  return json;
}

void add_face(std::string& text, const std::string& begin, const JudgedFace& face) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{},1,{},{},{},{}", begin, face.box.x, face.box.y, face.box.width, face.box.height);
  for (const double error : face.errors)
    fmt::format_to(out, ",{}", std::isnan(error) ? std::string() : fmt::format("{}", error));
  text += '\n';
}

constexpr ReportFile<LandmarkReport> kLandmarkFiles[] = {
    {"eval.json", landmark_eval_json}, {"faces.csv", landmark_eval_csv}, {"index.html", landmark_eval_page}};

// Whether the report's pictures have this label with points.
bool has_face(const LandmarkReport& report, std::size_t picture, std::size_t label) {
  return picture < report.pictures.size() && label < report.pictures[picture].labels.size() &&
         !report.pictures[picture].labels[label].points.empty();
}

}  // namespace

void check_pictures(const LandmarkReport& report) {
  for (const EvaluatedLandmarks& model : report.models) {
    const auto here = [&](const auto& face) { return has_face(report, face.picture, face.label); };
    const LandmarkEvaluation& e = model.faces;
    if (!std::all_of(e.found.begin(), e.found.end(), here) ||
        !std::all_of(e.missed.begin(), e.missed.end(), here))
      throw Error(ErrorCode::kUsage,
                  "the evaluation of " + model.name + " is of other pictures than the report's");
  }
}

std::string landmark_eval_json(const LandmarkReport& report) {
  Json json;
  json["title"] = clean_text(report.title);
  json["truth"] = Json::array();
  for (const std::string& truth : report.truth) json["truth"].push_back(clean_text(truth));
  json["pictures"] = report.pictures.size();
  json["unread"] = report.unread;
  json["move"] = report.move;
  json["seed"] = report.seed;
  json["models"] = Json::array();
  for (const EvaluatedLandmarks& model : report.models) json["models"].push_back(model_json(model));
  return json.dump(1) + "\n";
}

std::string landmark_eval_csv(const LandmarkReport& report) {
  check_pictures(report);
  std::string text = "model,picture,face,found,x,y,width,height";
  for (const LandmarkNorm norm : kLandmarkNorms) text += fmt::format(",{}", landmark_norm_name(norm));
  text += '\n';
  for (const EvaluatedLandmarks& model : report.models) {
    const auto begin = [&](std::size_t picture, std::size_t label) {
      return fmt::format("{},{},{}", csv_words(model.name), csv_words(report.pictures[picture].name), label);
    };
    // The lists of found and of missed faces are sorted by picture, then label. Merges both in this order.
    auto missed = model.faces.missed.begin();
    const auto add_missed = [&](std::size_t picture, std::size_t label) {
      for (; missed != model.faces.missed.end() &&
             std::pair(missed->picture, missed->label) < std::pair(picture, label);
           ++missed)
        text += begin(missed->picture, missed->label) + ",0,,,,,,,,\n";
    };
    for (const JudgedFace& face : model.faces.found) {
      add_missed(face.picture, face.label);
      add_face(text, begin(face.picture, face.label), face);
    }
    add_missed(report.pictures.size(), 0);
  }
  return text;
}

std::vector<std::string> landmark_eval_files(const std::string& folder) {
  return paths_of(kLandmarkFiles, folder);
}

void write_landmark_eval(const LandmarkReport& report, const std::string& folder) {
  write_files(kLandmarkFiles, report, folder);
}

}  // namespace winnow
