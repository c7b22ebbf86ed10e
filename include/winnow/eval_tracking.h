// Measures how well trackers follow an object: compares their boxes with the boxes that people marked.
//
//   winnow::BoxTrack truth = winnow::read_box_track("car/gt.txt", {.format = "tld"});
//   winnow::BoxTrack result = winnow::read_box_track("car/TLD1.0.txt", {.or_else = "tld"});
//   winnow::TrackingEvaluation judged = winnow::evaluate_tracking(truth, result);
//   std::printf("%.3f\n", judged.figures.auc);
//
// In:     a marked track, and the track that a tracker answered, with a frame for each frame of the truth.
// Out:    curves, shares and counts; reports as JSON, CSV and a page of HTML.
// Exact:  doubles by single IEEE operations in the order of frames; equal input gives equal results.
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

#include <winnow/box_track.h>
#include <winnow/export.h>

namespace winnow {

struct TrackingRule {
  double overlap = 0.25;  // a box is right if its intersection over union with the object is at least this
};

// A frame behind the first one. The first frame is not judged, since it gives the object to the tracker.
struct JudgedFrame {
  bool present = false;   // whether people marked the object
  bool found = false;     // whether the tracker gave a box
  double overlap = 0;     // intersection over union; 0 if the object or the box is missing
  double distance = 0;    // of the middles, in pixels; NaN if the object or the box is missing
  double confidence = 0;  // as stated; NaN if none is stated
};

// The success curve has a point for each of the overlaps 0, 0.05, ... 1.
inline constexpr std::size_t kSuccessSteps = 20;
// The curve of distances has a point for each of 0 to 50 pixels. Reports name the one for 20 pixels.
inline constexpr std::size_t kMostPixels = 50, kReportedPixels = 20;

// Figures of one sequence, or means of several. A figure is NaN if no frame counts for it.
struct TrackingFigures {
  // For each i: the share of frames with the object whose overlap is above i / 20.
  std::array<double, kSuccessSteps + 1> success{};
  double auc = 0;  // the mean of the success curve: nearly the area under it
  // For each i: the share of frames with the object in which the middles are at most i pixels apart.
  std::array<double, kMostPixels + 1> within{};
  double precision = 0;     // the share of boxes that are right; boxes in frames without the object are wrong
  double recall = 0;        // the share of frames with the object whose box is right
  double f = 0;             // the harmonic mean of precision and recall; 0 if no box is right
  double lost_absent = 0;   // the share of frames without the object in which the tracker gave no box
  double lost_present = 0;  // the share of frames with the object in which the tracker gave no box
};

// The boxes whose stated confidence lies in one of ten equal ranges from 0 to 1. The last range includes 1.
struct TrackingBin {
  std::int64_t boxes = 0;
  double stated = 0, right = 0;  // the mean confidence, and the share of right boxes; NaN if empty
  double distance = 0;  // the mean distance of boxes in frames with the object; NaN without such boxes
};
struct WINNOW_API TrackingReliability {
  std::array<TrackingBin, 10> bins{};
  std::int64_t boxes() const;
  double difference() const;  // the mean of |stated - right| over all boxes; NaN without boxes
};

struct TrackingEvaluation {
  TrackingRule rule;
  BoxTrackFormat format = BoxTrackFormat::kOtb;  // the result's
  std::int64_t present = 0, absent = 0;          // judged frames with the object, and without
  std::int64_t boxes = 0, right = 0;             // boxes in judged frames, and how many of them are right
  std::vector<JudgedFrame> frames;               // all frames behind the first
  TrackingFigures figures;
  std::optional<TrackingReliability> reliability{};  // no value if no box has a confidence
};

// Compares a tracker's boxes with the marked boxes. The overlaps of the success curve must be exceeded. Every
// other bound counts as reached: an overlap of `rule.overlap` is right.
//
// kUsage for tracks of different lengths or without a second frame, for a box that is not finite or has no
// area, for a confidence outside 0 to 1, and for an overlap that is not above 0 and at most 1.
WINNOW_API TrackingEvaluation evaluate_tracking(const BoxTrack& truth, const BoxTrack& result,
                                                const TrackingRule& rule = {});
// The mean of each figure over the sequences that have it.
WINNOW_API TrackingFigures mean_figures(std::span<const TrackingEvaluation> sequences);
// The reliability of the boxes of all sequences together. No value if no box has a confidence.
WINNOW_API std::optional<TrackingReliability> joined_reliability(
    std::span<const TrackingEvaluation> sequences);

// A sequence on which a report compares trackers.
struct MarkedSequence {
  std::string name, file;
  BoxTrack truth;
};
// One of the trackers that a report compares.
struct EvaluatedTracker {
  std::string name;
  std::vector<std::string> files = {};             // one for each sequence of the report, or empty
  std::vector<TrackingEvaluation> sequences = {};  // one for each sequence of the report, in its order
};
struct TrackingReport {
  std::string title = "Evaluation of trackers";
  std::vector<MarkedSequence> sequences;
  std::vector<EvaluatedTracker> trackers;
};

// These functions throw kUsage if a tracker was judged on other sequences than the report's, or by another
// rule than the first tracker.
WINNOW_API std::string tracking_eval_json(const TrackingReport& report);
// One line for each judged frame of each tracker and sequence.
WINNOW_API std::string tracking_eval_csv(const TrackingReport& report);
// One self-contained page.
WINNOW_API std::string tracking_eval_page(const TrackingReport& report);
// The paths of the files that `write_tracking_eval` writes: eval.json, frames.csv and index.html.
WINNOW_API std::vector<std::string> tracking_eval_files(const std::string& folder);
// Writes the files of `tracking_eval_files` into `folder`, which is made if it does not exist. kIo if a file
// cannot be written.
WINNOW_API void write_tracking_eval(const TrackingReport& report, const std::string& folder);

}  // namespace winnow
