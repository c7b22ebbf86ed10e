// How good a detector is: what it found beside what people marked, as curves and figures.
//
//   winnow::Truth truth = winnow::read_truth("faces.csv");
//   std::vector<std::vector<winnow::Detection>> found = ...;   // one entry a picture, in the truth's order
//   winnow::Evaluation result = winnow::evaluate(truth.pictures, found);
//   std::printf("%.3f\n", result.recall_at(25));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/truth.h>

namespace winnow {

enum class MatchKind {
  kIou,     // a detection is right if it overlaps a label well enough
  kPoints,  // a detection is right if it holds the label's points and is not too large for them
};
enum class RankBy { kScore, kNeighbors };  // what sorts the detections of all pictures

struct EvalRule {
  MatchKind match = MatchKind::kIou;
  double iou = 0.5;  // above 0, up to 1: intersection over union is at least this
  // For kPoints; the defaults are MIT+CMU's: points are left eye, right eye, nose, mouth left, middle, right.
  std::vector<int> hold = {0, 1, 2, 4};  // points that must lie in the box (its edges count)
  double at_most = 4.5;                  // the box's longer side, in spans of the label
  // A span is the larger of the distance of the first two and that of the third from the line through them.
  std::array<int, 3> span = {0, 1, 4};
  RankBy rank = RankBy::kScore;
};

enum class Verdict {
  kRight,
  kWrong,    // on nothing, or on a label that a better detection has
  kIgnored,  // on a label that is neither to be found nor wrong to be found
};

struct JudgedDetection {
  std::size_t picture = 0;
  Detection detection;
  double rank = 0;  // score or neighbours, as the rule says
  Verdict verdict = Verdict::kWrong;
  std::optional<std::size_t> label;  // of its picture; none if wrong
};

// What is kept if everything below `rank` is dropped.
struct CurvePoint {
  double rank = 0;
  std::int64_t found = 0;  // labels
  std::int64_t wrong = 0;  // detections
  bool operator==(const CurvePoint&) const = default;
};

// What there is to find; where that is nothing, rates are NaN.
struct WINNOW_API Evaluation {
  std::int64_t pictures = 0, labels = 0, ignored_labels = 0;
  // Best first; equal ranks by picture, then as the detector gave them.
  std::vector<JudgedDetection> judged;
  // Falling ranks, one point a distinct rank: detections of equal rank come and go together.
  std::vector<CurvePoint> curve;

  std::int64_t found() const { return curve.empty() ? 0 : curve.back().found; }
  std::int64_t wrong() const { return curve.empty() ? 0 : curve.back().wrong; }
  double recall(const CurvePoint& point) const;
  static double precision(const CurvePoint& point);
  double wrong_per_picture(const CurvePoint& point) const;
  // The largest recall with at most so many false positives.
  double recall_at(std::int64_t wrong) const;
  // The area under precision over recall, where the precision at a recall is the best at that recall or above
  // (all points of the curve, not eleven).
  double average_precision() const;
  // The geometric mean of the miss rates at nine rates of false positives per picture, 10^-2 to 10^0 in even
  // steps of the exponent; 1 where the curve has not begun, and no rate counts as less than 1e-10.
  double log_average_miss_rate() const;
};

// `found[i]` belongs to `pictures[i]`. In each picture detections choose in order of rank: each takes the
// label that it matches, overlaps most and that is still free. Errors (kUsage): unequal lengths, a rule that
// makes no sense, a label without the points that the rule names.
WINNOW_API Evaluation evaluate(std::span<const LabelledPicture> pictures,
                               std::span<const std::vector<Detection>> found, const EvalRule& rule = {});
WINNOW_API void check_rule(const EvalRule& rule);

// FDDB's form: name, count, then "x y width height score" a detection.
WINNOW_API std::string fddb_text(std::span<const LabelledPicture> pictures,
                                 std::span<const std::vector<Detection>> found);

// Single windows: crops of the object on one side, every window of pictures without it on the other.
struct WindowPoint {
  double score = 0;
  std::int64_t found = 0;  // positives of this score or above
  std::int64_t wrong = 0;  // negative windows of this score or above
  bool operator==(const WindowPoint&) const = default;
};
struct WINNOW_API WindowEvaluation {
  std::int64_t positives = 0;
  std::int64_t windows = 0;        // of the negative pictures: Counters::windows
  std::vector<WindowPoint> curve;  // falling scores, one point a distinct score
  double miss_rate(const WindowPoint& point) const;
  double wrong_per_window(const WindowPoint& point) const;
  // The smallest miss rate with at most so many false positives per window.
  double miss_rate_at(double wrong_per_window) const;
};
// `positives`: a score for each crop that passed all stages; `count`: how many crops there were.
WINNOW_API WindowEvaluation evaluate_windows(std::span<const double> positives, std::int64_t count,
                                             std::span<const double> negatives, std::int64_t windows);
// The score of a crop as one window; none if a stage rejects it. A crop larger than the window is resized as
// the detector resizes a picture's level; errors (kUsage): a crop that is smaller, or whose shape is not the
// window's to within a pixel.
WINNOW_API std::optional<double> window_score(Detector& detector, const PictureView& crop);
inline std::optional<double> window_score(Detector& detector, GrayView crop) {
  return window_score(detector, PictureView(crop));
}

// What is written about one or several models.
struct EvaluatedModel {
  std::string name, file;
  std::optional<Evaluation> pictures;
  std::optional<WindowEvaluation> windows;
  double seconds = 0;                 // spent searching the pictures
  std::int64_t windows_searched = 0;  // in the pictures
  std::string backend;
};
struct EvalReport {
  std::string title = "Evaluation of detectors";
  std::vector<std::string> truth;         // what was read
  std::vector<LabelledPicture> pictures;  // those that were searched
  std::int64_t unread = 0;                // pictures that could not be searched: left out, with their labels
  std::int64_t unjudged = 0;  // crops and pictures of negative windows that could not be judged: left out
  EvalRule rule;
  DetectOptions detect;
  std::vector<EvaluatedModel> models;
};

// The counts at which the recall is told.
inline constexpr std::array<std::int64_t, 6> kToldFalsePositives = {1, 5, 10, 25, 50, 100};

WINNOW_API std::string eval_json(const EvalReport& report);
WINNOW_API std::string eval_csv(const EvalReport& report);
// One self-contained page. Opens pictures again for crops of the worst errors; one that cannot be read is
// left out.
WINNOW_API std::string eval_page(const EvalReport& report);
// What `write_eval` writes there: eval.json, curves.csv and index.html.
WINNOW_API std::vector<std::string> eval_files(const std::string& folder);
// These in `folder`, which is made.
WINNOW_API void write_eval(const EvalReport& report, const std::string& folder);

}  // namespace winnow
