// Writes an evaluation of trackers as JSON and CSV, and as files in a folder, as winnow/eval_tracking.h
// declares. Numbers have their shortest exact form, so equal reports give equal bytes.
#include "eval/tracking/tracking_report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "eval/json_parts.h"
#include "eval/report.h"

namespace winnow {
namespace {

template <class Values>
Json list_json(const Values& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number_json(value));
  return json;
}

Json figures_json(const TrackingFigures& figures) {
  Json json;
  json["auc"] = number_json(figures.auc);
  json["within_20"] = number_json(figures.within[kReportedPixels]);
  json["precision"] = number_json(figures.precision);
  json["recall"] = number_json(figures.recall);
  json["f"] = number_json(figures.f);
  json["lost_absent"] = number_json(figures.lost_absent);
  json["lost_present"] = number_json(figures.lost_present);
  json["success"] = list_json(figures.success);
  json["within"] = list_json(figures.within);
  return json;
}

Json reliability_json(const std::optional<TrackingReliability>& reliability) {
  if (!reliability) return nullptr;
  Json json;
  json["boxes"] = reliability->boxes();
  json["difference"] = number_json(reliability->difference());
  json["bins"] = Json::array();
  for (const TrackingBin& bin : reliability->bins)
    json["bins"].push_back({{"boxes", bin.boxes},
                            {"stated", number_json(bin.stated)},
                            {"right", number_json(bin.right)},
                            {"distance", number_json(bin.distance)}});
  return json;
}

Json sequence_json(const MarkedSequence& sequence) {
  const MarkedFrames frames = count_marked(sequence);
  Json json;
  json["name"] = clean_text(sequence.name);
  json["file"] = clean_text(sequence.file);
  json["format"] = box_track_format_name(sequence.truth.format);
  json["present"] = frames.present;
  json["absent"] = frames.absent;
  return json;
}

Json tracker_json(const TrackingReport& report, const EvaluatedTracker& tracker) {
  Json json;
  json["name"] = clean_text(tracker.name);
  json["mean"] = figures_json(mean_figures(tracker.sequences));
  json["reliability"] = reliability_json(joined_reliability(tracker.sequences));
  json["sequences"] = Json::array();
  for (std::size_t i = 0; i < tracker.sequences.size(); ++i) {
    const TrackingEvaluation& judged = tracker.sequences[i];
    Json each;
    each["name"] = clean_text(report.sequences[i].name);
    each["file"] = tracker.files.empty() ? Json(nullptr) : Json(clean_text(tracker.files[i]));
    each["format"] = box_track_format_name(judged.format);
    each["boxes"] = judged.boxes;
    each["right"] = judged.right;
    each["figures"] = figures_json(judged.figures);
    each["reliability"] = reliability_json(judged.reliability);
    json["sequences"].push_back(each);
  }
  return json;
}

// An empty field stands for NaN.
std::string csv_number(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

constexpr ReportFile<TrackingReport> kTrackingFiles[] = {
    {"eval.json", tracking_eval_json}, {"frames.csv", tracking_eval_csv}, {"index.html", tracking_eval_page}};

}  // namespace

void check_trackers(const TrackingReport& report) {
  for (const EvaluatedTracker& tracker : report.trackers) {
    const auto fail = [&](const char* why) {
      throw Error(ErrorCode::kUsage, "the evaluation of " + tracker.name + " " + why);
    };
    const std::size_t count = report.sequences.size();
    if (tracker.sequences.size() != count || (!tracker.files.empty() && tracker.files.size() != count))
      fail("is of other sequences than the report's");
    for (std::size_t i = 0; i < count; ++i) {
      if (tracker.sequences[i].frames.size() + 1 != report.sequences[i].truth.frames.size())
        fail("is of other sequences than the report's");
      if (tracker.sequences[i].rule.overlap != right_overlap(report)) fail("is by another overlap");
    }
  }
}

double right_overlap(const TrackingReport& report) {
  for (const EvaluatedTracker& tracker : report.trackers)
    if (!tracker.sequences.empty()) return tracker.sequences.front().rule.overlap;
  return TrackingRule{}.overlap;
}

MarkedFrames count_marked(const MarkedSequence& sequence) {
  MarkedFrames frames;
  for (std::size_t i = 1; i < sequence.truth.frames.size(); ++i)
    ++(sequence.truth.frames[i].box ? frames.present : frames.absent);
  return frames;
}

std::string tracking_eval_json(const TrackingReport& report) {
  check_trackers(report);
  Json json;
  json["title"] = clean_text(report.title);
  json["overlap"] = right_overlap(report);
  json["sequences"] = Json::array();
  for (const MarkedSequence& sequence : report.sequences)
    json["sequences"].push_back(sequence_json(sequence));
  json["trackers"] = Json::array();
  for (const EvaluatedTracker& tracker : report.trackers)
    json["trackers"].push_back(tracker_json(report, tracker));
  return json.dump(1) + "\n";
}

std::string tracking_eval_csv(const TrackingReport& report) {
  check_trackers(report);
  std::string text = "tracker,sequence,frame,present,found,overlap,distance,confidence\n";
  for (const EvaluatedTracker& tracker : report.trackers) {
    for (std::size_t i = 0; i < tracker.sequences.size(); ++i) {
      const std::string begin = csv_words(tracker.name) + "," + csv_words(report.sequences[i].name);
      const std::vector<JudgedFrame>& frames = tracker.sequences[i].frames;
      for (std::size_t frame = 0; frame < frames.size(); ++frame) {
        const JudgedFrame& each = frames[frame];
        fmt::format_to(std::back_inserter(text), "{},{},{:d},{:d},{},{},{}\n", begin, frame + 1, each.present,
                       each.found, each.overlap, csv_number(each.distance), csv_number(each.confidence));
      }
    }
  }
  return text;
}

std::vector<std::string> tracking_eval_files(const std::string& folder) {
  return paths_of(kTrackingFiles, folder);
}

void write_tracking_eval(const TrackingReport& report, const std::string& folder) {
  write_files(kTrackingFiles, report, folder);
}

}  // namespace winnow
