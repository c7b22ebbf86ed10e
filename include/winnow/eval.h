// Measures how good a detector is: compares its detections with labels, and gives curves and figures.
//
//   winnow::Truth truth = winnow::read_truth("faces.csv");
//   std::vector<std::vector<winnow::Detection>> found = ...;   // one entry a picture, in the truth's order
//   winnow::Evaluation result = winnow::evaluate(truth.pictures, found);
//   std::printf("%.3f\n", result.recall_at(25));
//
// In:     labelled pictures and the detections in each, or the scores of single windows.
// Out:    verdicts, curves and rates; reports as JSON, CSV and a page of HTML.
// Exact:  counts are integers, rates are doubles; equal input gives equal results. `MatchKind::kPoints` uses
//         the C library's hypot. The log-average miss rate uses its log and exp.
// Memory: results own their data and belong to the caller.
// Thread: any thread may call the functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/cascade_model.h>
#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/truth.h>

namespace winnow {

enum class MatchKind {
  kIou,     // a detection is right if it overlaps a label well enough
  kPoints,  // a detection is right if it holds the label's points and is not too large for them
};
enum class RankBy { kScore, kNeighbors };  // the number that orders the detections of all pictures

struct EvalRule {
  MatchKind match = MatchKind::kIou;
  // The least intersection over union of a match, above 0 and up to 1. An ignored label matches if it covers
  // at least this fraction of the detection's box. With kPoints, an ignored label that has points is judged
  // by its points instead.
  double iou = 0.5;
  // `hold`, `at_most` and `span` are for kPoints. The defaults fit the points of MIT+CMU: left eye, right
  // eye, nose, and the left end, middle and right end of the mouth.
  std::vector<int> hold = {0, 1, 2, 4};  // numbers of the points that must lie in the box or on its edges
  double at_most = 4.5;                  // the longest side that the box may have, in spans (see `span`)
  // Three numbers of points. The span is the larger of two distances: from the first to the second point, and
  // from the third point to the line through the first two.
  std::array<int, 3> span = {0, 1, 4};
  RankBy rank = RankBy::kScore;
  // For kIou: where the object lies in a detection's box (`ModelCard::place`). The margin is cut off the box.
  // With an aspect, box and label keep their height and middle and get the width aspect * height, because
  // arms and legs change the width of people.
  ObjectPlace place{};
};

enum class Verdict {
  kRight,
  kWrong,    // matches no label, or only labels that better detections have taken
  kIgnored,  // matches an ignored label (any number of detections may); left out of the curve
};

struct JudgedDetection {
  std::size_t picture = 0;
  Detection detection;
  double rank = 0;  // score or neighbours, as `EvalRule::rank` says
  Verdict verdict = Verdict::kWrong;
  std::optional<std::size_t> label;  // the label's number in its picture; no value for kWrong
};

// The counts if all detections below `rank` are dropped.
struct CurvePoint {
  double rank = 0;
  std::int64_t found = 0;  // labels found
  std::int64_t wrong = 0;  // false positives
  bool operator==(const CurvePoint&) const = default;
};

// The rates of false positives per picture whose miss rates make the log-average miss rate: 10^-2 to 10^0 in
// even steps of the exponent.
inline constexpr std::array<double, 9> kLogAverageRates = {
    0.01, 0.01778279410038923, 0.03162277660168379, 0.05623413251903491,
    0.1,  0.1778279410038923,  0.31622776601683794, 0.5623413251903491,
    1};

// The comparison of detections with labels. Rates are NaN if there are no labels or pictures to divide by.
struct WINNOW_API Evaluation {
  std::int64_t pictures = 0, labels = 0, ignored_labels = 0;
  // In order of falling rank. Detections of equal rank are ordered by picture, then as the detector gave
  // them.
  std::vector<JudgedDetection> judged;
  // In order of falling rank, with one point for each distinct rank.
  std::vector<CurvePoint> curve;

  std::int64_t found() const { return curve.empty() ? 0 : curve.back().found; }
  std::int64_t wrong() const { return curve.empty() ? 0 : curve.back().wrong; }
  double recall(const CurvePoint& point) const;
  static double precision(const CurvePoint& point);
  double miss_rate(const CurvePoint& point) const;
  double wrong_per_picture(const CurvePoint& point) const;
  double ends_at() const;  // false positives per picture at the curve's end, where every detection counts
  // The largest recall with at most this many false positives; 0 if the curve begins with more.
  double recall_at(std::int64_t wrong) const;
  // The area under the curve of precision over recall, from all points of the curve (not from eleven). The
  // precision at a recall is the best precision at that recall or above.
  double average_precision() const;
  // The smallest miss rate of a point with at most this many false positives per picture; 1 if there is no
  // such point.
  double miss_rate_at(double wrong_per_picture) const;
  // The geometric mean of `miss_rate_at` at the nine `kLogAverageRates`. A miss rate below 1e-10 counts as
  // 1e-10.
  double log_average_miss_rate() const;
};

// Compares `found[i]` with the labels of `pictures[i]`. In each picture detections choose labels, the highest
// rank first. A detection takes the free label that it matches and overlaps most. kUsage for lists of
// different lengths, a rule that makes no sense, a score that is no number, or a label without the points
// that the rule names.
WINNOW_API Evaluation evaluate(std::span<const LabelledPicture> pictures,
                               std::span<const std::vector<Detection>> found, const EvalRule& rule = {});
// Throws kUsage if the rule makes no sense.
WINNOW_API void check_rule(const EvalRule& rule);

// The detections in FDDB's format: a picture's name, the number of its detections, then a line "x y width
// height score" for each. The order is that of `found`. kUsage for lists of different lengths.
WINNOW_API std::string fddb_text(std::span<const LabelledPicture> pictures,
                                 std::span<const std::vector<Detection>> found);

// A point of the curve over single windows. Positives are crops of the object. Negatives are all windows of
// pictures without the object.
struct WindowPoint {
  double score = 0;
  std::int64_t found = 0;  // positives with this score or above
  std::int64_t wrong = 0;  // negative windows with this score or above
  bool operator==(const WindowPoint&) const = default;
};
// Rates are NaN if there are no positives or windows to divide by.
struct WINNOW_API WindowEvaluation {
  std::int64_t positives = 0;
  std::int64_t windows = 0;        // windows of the negative pictures (`Counters::windows`)
  std::vector<WindowPoint> curve;  // in order of falling score, one point for each distinct score
  double miss_rate(const WindowPoint& point) const;
  double wrong_per_window(const WindowPoint& point) const;
  double ends_at() const;  // false positives per window at the curve's end, where every score counts
  // The smallest miss rate of a point with at most this many false positives per window; 1 if there is no
  // such point.
  double miss_rate_at(double wrong_per_window) const;
};
// `positives` has the scores of the crops that passed all stages, and `count` is the number of all crops.
// `negatives` has the scores of the windows that passed, and `windows` is the number of all windows. kUsage
// if there are more scores than crops or windows, or if a score is no number.
WINNOW_API WindowEvaluation evaluate_windows(std::span<const double> positives, std::int64_t count,
                                             std::span<const double> negatives, std::int64_t windows);
// Judges a crop as one window, and returns its score, or no value if a stage rejects the crop. A larger crop
// is resized as the detector resizes a level. kUsage for a crop that is smaller than the window, or whose
// shorter side is more than a pixel off the window's proportions.
WINNOW_API std::optional<double> window_score(Detector& detector, const PictureView& crop);
inline std::optional<double> window_score(Detector& detector, GrayView crop) {
  return window_score(detector, PictureView(crop));
}
// Judges the crop as a search judges a window, with the `min_score` and `gray` of `options`. As in a search,
// a `min_score` of minus infinity means 0 for HOG models. Other options have no effect.
WINNOW_API std::optional<double> window_score(Detector& detector, const PictureView& crop,
                                              const DetectOptions& options);

// One of the models that a report compares.
struct EvaluatedModel {
  std::string name, file;
  std::optional<Evaluation> pictures;
  std::optional<WindowEvaluation> windows;
  double seconds = 0;                 // spent on searching the pictures
  std::int64_t windows_searched = 0;  // windows in the pictures
  std::string backend;
  std::string kind = {};      // `DetectorModel::kind`; may be left out
  DetectOptions detect = {};  // options of the searches; fields without a value take the model's defaults
  ObjectPlace place = {};     // the `EvalRule::place` with which the model's boxes were judged
};
struct EvalReport {
  std::string title = "Evaluation of detectors";
  std::vector<std::string> truth;         // names of the truth files
  std::vector<LabelledPicture> pictures;  // the pictures that were searched
  std::int64_t unread = 0;    // pictures that could not be searched; their labels are left out, too
  std::int64_t unjudged = 0;  // crops and pictures of negative windows that could not be judged
  EvalRule rule;
  std::vector<EvaluatedModel> models;
};

// The numbers of false positives at which reports give the recall.
inline constexpr std::array<std::int64_t, 6> kReportedFalsePositives = {1, 5, 10, 25, 50, 100};
// The rates of false positives per window and per picture at which reports give the miss rate, with their
// names.
struct ReportedRate {
  const char* name;
  double rate;
};
inline constexpr std::array<ReportedRate, 4> kReportedPerWindow = {
    {{"1e-6", 1e-6}, {"1e-5", 1e-5}, {"1e-4", 1e-4}, {"1e-3", 1e-3}}};
inline constexpr std::array<ReportedRate, 3> kReportedPerPicture = {{{"0.01", 0.01}, {"0.1", 0.1}, {"1", 1}}};

WINNOW_API std::string eval_json(const EvalReport& report);
WINNOW_API std::string eval_csv(const EvalReport& report);
// One self-contained page. Opens pictures again for crops of the worst errors; a crop is left out if its
// picture cannot be read. kUsage if a model was evaluated on other pictures than the report's.
WINNOW_API std::string eval_page(const EvalReport& report);
// The paths of the files that `write_eval` writes: eval.json, curves.csv and index.html.
WINNOW_API std::vector<std::string> eval_files(const std::string& folder);
// Writes the files of `eval_files` into `folder`, which is made if it does not exist. kIo if a file cannot be
// written.
WINNOW_API void write_eval(const EvalReport& report, const std::string& folder);

}  // namespace winnow
