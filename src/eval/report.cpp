#include "eval/report.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <span>
#include <system_error>

#include <winnow/error.h>

#include "base/file.h"

namespace winnow {
namespace {

std::string size_words(Size size) {
  return size.width == 0 && size.height == 0 ? "none" : fmt::format("{}x{}", size.width, size.height);
}

std::string list_words(std::span<const int> numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

template <class Rates>
std::vector<RatePoint> points_of(const Evaluation& evaluation, Rates rates) {
  std::vector<RatePoint> points;
  points.reserve(evaluation.curve.size());
  for (const CurvePoint& p : evaluation.curve) {
    const auto [x, y] = rates(p);
    points.push_back({p.rank, p.found, p.wrong, x, y});
  }
  return points;
}

}  // namespace

const char* match_name(MatchKind match) { return match == MatchKind::kIou ? "iou" : "points"; }

const char* rank_name(RankBy rank) { return rank == RankBy::kScore ? "score" : "neighbors"; }

std::string rank_sentence(RankBy rank) {
  return rank == RankBy::kScore ? "the last stage's sum; of a group of windows the largest"
                                : "how many windows are in the group";
}

std::string match_sentence(const EvalRule& rule) {
  if (rule.match == MatchKind::kIou) {
    return fmt::format("intersection over union is at least {}; a second hit on an object is wrong",
                       rule.iou);
  }
  return fmt::format(
      "the box holds points {} and its longer side is at most {} times the larger of the distance of points "
      "{} and {} and that of point {} from the line through them; a second hit on an object is wrong",
      list_words(rule.hold), rule.at_most, rule.span[0], rule.span[1], rule.span[2]);
}

std::vector<std::pair<std::string, std::string>> search_words(const DetectOptions& given) {
  const DetectOptions options = complete_options(given, {});
  return {
      {"scale", fmt::format("{}", *options.scale_factor)},
      {"enlarge", fmt::format("{}", *options.enlarge)},
      {"min-neighbors", fmt::format("{} (a group is kept if it has more windows)", *options.min_neighbors)},
      {"min-size", size_words(options.min_size)},
      {"max-size", size_words(options.max_size)},
      {"min-score", std::isfinite(*options.min_score) ? fmt::format("{}", *options.min_score) : "none"},
      {"min-support", fmt::format("{} (with merge support)", *options.min_support)},
      {"merge", options.raw ? "none: all windows that passed" : merge_name(*options.merge)},
      {"stride", options.step == Size{} ? "each model's own" : size_words(options.step) + " (models of HOG)"},
      {"padding", options.padding == Size{} ? "none" : size_words(options.padding)},
      {"gray", options.gray ? "yes: colour is left unread" : "no"},
      {"border", fmt::format("{}", *options.border)}};
}

std::vector<RatePoint> roc_points(const Evaluation& e) {
  return points_of(e,
                   [&](const CurvePoint& p) { return std::pair(static_cast<double>(p.wrong), e.recall(p)); });
}

std::vector<RatePoint> precision_points(const Evaluation& e) {
  return points_of(e, [&](const CurvePoint& p) { return std::pair(e.recall(p), Evaluation::precision(p)); });
}

std::vector<RatePoint> miss_points(const Evaluation& e) {
  return points_of(e, [&](const CurvePoint& p) { return std::pair(e.wrong_per_picture(p), e.miss_rate(p)); });
}

std::vector<RatePoint> det_points(const WindowEvaluation& e) {
  std::vector<RatePoint> points;
  for (std::size_t i = 0; i < e.curve.size(); ++i) {
    const WindowPoint& p = e.curve[i];
    const bool within =
        i > 0 && i + 1 < e.curve.size() && e.curve[i - 1].found == p.found && e.curve[i + 1].found == p.found;
    if (within) continue;
    points.push_back({p.score, p.found, p.wrong, e.wrong_per_window(p), e.miss_rate(p)});
  }
  return points;
}

std::string place_in(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

void make_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw Error(ErrorCode::kIo, "this folder cannot be made", folder);
}

void write_in(const std::string& folder, const char* name, const std::string& text) {
  write_file(place_in(folder, name), std::as_bytes(std::span(text)));
}

namespace {

constexpr ReportFile<EvalReport> kEvalFiles[] = {
    {"eval.json", eval_json}, {"curves.csv", eval_csv}, {"index.html", eval_page}};

}  // namespace

std::vector<std::string> eval_files(const std::string& folder) { return paths_of(kEvalFiles, folder); }

void write_eval(const EvalReport& report, const std::string& folder) {
  write_files(kEvalFiles, report, folder);
}

}  // namespace winnow
