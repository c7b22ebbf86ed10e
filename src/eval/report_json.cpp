// Writes an evaluation as JSON, as winnow/eval.h declares.
#include <span>

#include "base/clean_text.h"
#include "eval/json_parts.h"
#include "eval/report.h"

namespace winnow {
namespace {

Json rule_json(const EvalRule& rule) {
  Json json;
  json["match"] = match_name(rule.match);
  if (rule.match == MatchKind::kIou) {
    json["iou"] = rule.iou;
  } else {
    json["hold"] = rule.hold;
    json["at_most"] = rule.at_most;
    json["span"] = rule.span;
  }
  json["words"] = match_sentence(rule);
  json["rank"] = rank_name(rule.rank);
  json["rank_words"] = rank_sentence(rule.rank);
  return json;
}

Json curve_json(const std::vector<RatePoint>& points, const char* x, const char* y) {
  Json ranks = Json::array(), found = Json::array(), wrong = Json::array(), xs = Json::array(),
       ys = Json::array();
  for (const RatePoint& p : points) {
    ranks.push_back(number_json(p.rank));
    found.push_back(p.found);
    wrong.push_back(p.wrong);
    xs.push_back(number_json(p.x));
    ys.push_back(number_json(p.y));
  }
  return {{"rank", ranks}, {"found", found}, {"wrong", wrong}, {x, xs}, {y, ys}};
}

// The miss rate at each reported rate of false positives, under the rate's name, such as "1e-4".
template <class Rates>
Json miss_rates_json(const Rates& rates, std::span<const ReportedRate> reported) {
  Json json = Json::object();
  for (const auto& [name, rate] : reported) json[name] = number_json(rates.miss_rate_at(rate));
  return json;
}

Json pictures_json(const Evaluation& e) {
  Json json;
  json["pictures"] = e.pictures;
  json["objects"] = e.labels;
  json["ignored_objects"] = e.ignored_labels;
  json["detections"] = e.judged.size();
  json["found"] = e.found();
  json["wrong"] = e.wrong();
  Json recalls = Json::object();
  for (const std::int64_t wrong : kReportedFalsePositives)
    recalls[std::to_string(wrong)] = number_json(e.recall_at(wrong));
  json["recall_at"] = recalls;
  json["average_precision"] = number_json(e.average_precision());
  json["log_average_miss_rate"] = number_json(e.log_average_miss_rate());
  json["miss_rate_at"] = miss_rates_json(e, kReportedPerPicture);
  Json curve = curve_json(roc_points(e), "false_positives", "recall");
  curve.erase("false_positives");  // the same numbers as "wrong"
  Json precision = Json::array(), per_picture = Json::array(), missed = Json::array();
  for (const RatePoint& p : precision_points(e)) precision.push_back(number_json(p.y));
  for (const RatePoint& p : miss_points(e)) {
    per_picture.push_back(number_json(p.x));
    missed.push_back(number_json(p.y));
  }
  curve["precision"] = precision;
  curve["wrong_per_picture"] = per_picture;
  curve["miss_rate"] = missed;
  json["curve"] = curve;
  return json;
}

Json windows_json(const WindowEvaluation& e) {
  Json json;
  json["positives"] = e.positives;
  json["windows"] = e.windows;
  json["miss_rate_at"] = miss_rates_json(e, kReportedPerWindow);
  json["curve"] = curve_json(det_points(e), "wrong_per_window", "miss_rate");
  return json;
}

}  // namespace

Json search_json(const DetectOptions& given) {
  const auto size_json = [](Size size) { return Json::array({size.width, size.height}); };
  const DetectOptions options = complete_options(given, {});
  return {{"scale", *options.scale_factor},
          {"enlarge", *options.enlarge},
          {"min_neighbors", *options.min_neighbors},
          {"min_size", size_json(options.min_size)},
          {"max_size", size_json(options.max_size)},
          {"min_score", number_json(*options.min_score)},
          {"min_support", *options.min_support},
          {"merge", options.raw ? "none" : merge_name(*options.merge)},
          {"stride", options.step == Size{} ? Json(nullptr) : size_json(options.step)},
          {"padding", size_json(options.padding)},
          {"gray", options.gray},
          {"border", *options.border}};
}

std::string eval_json(const EvalReport& report) {
  Json json;
  json["title"] = clean_text(report.title);
  json["rule"] = rule_json(report.rule);
  json["truth"] = Json::array();
  for (const std::string& truth : report.truth) json["truth"].push_back(clean_text(truth));
  json["pictures"] = report.pictures.size();
  json["unread"] = report.unread;
  json["unjudged"] = report.unjudged;
  json["models"] = Json::array();
  for (const EvaluatedModel& model : report.models) {
    Json each;
    each["name"] = clean_text(model.name);
    each["file"] = clean_text(model.file);
    each["kind"] = clean_text(model.kind);
    each["backend"] = model.backend;
    each["search"] = search_json(model.detect);
    each["margin"] = model.place.margin;
    each["aspect"] = model.place.aspect;
    each["seconds"] = model.seconds;
    each["windows_searched"] = model.windows_searched;
    if (model.pictures) each["pictures"] = pictures_json(*model.pictures);
    if (model.windows) each["windows"] = windows_json(*model.windows);
    json["models"].push_back(each);
  }
  return json.dump(1) + "\n";
}

}  // namespace winnow
