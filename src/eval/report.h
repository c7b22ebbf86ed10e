// Gives what all files of an evaluation need: words for the rule and the search, the points of curves, and
// functions that write files.
//
// In:     rules, options and evaluations, not copied.
// Out:    texts, and lists of points.
// Exact:  a curve has one point for each point of the evaluation's curve, with its counts. Only `det_points`
//         leaves points out.
// Memory: results belong to the caller.
// Thread: any.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <winnow/eval.h>

namespace winnow {

const char* match_name(MatchKind match);
const char* rank_name(RankBy rank);
// Describes a rank in words.
std::string rank_sentence(RankBy rank);
// Says in words when a detection is right.
std::string match_sentence(const EvalRule& rule);
// The options of the search as pairs of name and value: "scale", "1.1" and so on.
std::vector<std::pair<std::string, std::string>> search_words(const DetectOptions& options);

struct RatePoint {
  double rank = 0;
  std::int64_t found = 0, wrong = 0;
  double x = 0, y = 0;
};
// The points of three curves: recall over false positives, precision over recall, and miss rate over false
// positives per picture or window.
std::vector<RatePoint> roc_points(const Evaluation& evaluation);
std::vector<RatePoint> precision_points(const Evaluation& evaluation);
std::vector<RatePoint> miss_points(const Evaluation& evaluation);
// The curve of an SVM that rejects no window has a point for each window, which is too many for a file. In a
// run of points in which only false positives grow, `det_points` keeps the first and the last point. The
// other points change no miss rate.
std::vector<RatePoint> det_points(const WindowEvaluation& evaluation);

// The text as a field of CSV, in quotes if the text needs them.
std::string csv_words(const std::string& words);

// A file of a report: its name, and the function that gives its text.
template <class Report>
struct ReportFile {
  const char* name;
  std::string (*text)(const Report&);
};
std::string place_in(const std::string& folder, const char* name);
// Makes the folder if it does not exist. kIo if it cannot be made.
void make_folder(const std::string& folder);
void write_in(const std::string& folder, const char* name, const std::string& text);

template <class Files>
std::vector<std::string> paths_of(const Files& files, const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(place_in(folder, file.name));
  return paths;
}

template <class Files, class Report>
void write_files(const Files& files, const Report& report, const std::string& folder) {
  make_folder(folder);
  for (const auto& file : files) write_in(folder, file.name, file.text(report));
}

}  // namespace winnow
