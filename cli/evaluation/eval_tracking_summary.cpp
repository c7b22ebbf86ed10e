#include "evaluation/eval_tracking_summary.h"

#include <fmt/format.h>
#include <winnow/answer.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "evaluation/eval_words.h"
#include "terminal/text.h"

namespace winnow::cli {
namespace {

void add_row(std::string& text, const TrackingFigures& figures) {
  fmt::format_to(std::back_inserter(text), "{:>7}{:>9}{:>11}{:>8}{:>7}{:>8}{:>9}\n", plain(figures.auc),
                 percent(figures.within[kReportedPixels]), percent(figures.precision),
                 percent(figures.recall), plain(figures.f), percent(figures.lost_absent),
                 percent(figures.lost_present));
}

// The figures of `tracking_eval_json` without their curves.
nlohmann::ordered_json without_curves(nlohmann::ordered_json figures) {
  for (const char* curve : {"success", "within"}) figures.erase(curve);
  return figures;
}

void add_confidence(std::string& text, const EvaluatedTracker& tracker) {
  const std::optional<TrackingReliability> reliability = joined_reliability(tracker.sequences);
  if (!reliability) return;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "confidence of {}: mean difference {}\nstated  ", printable(tracker.name),
                 plain(reliability->difference()));
  for (const TrackingBin& bin : reliability->bins) fmt::format_to(out, "{:>8}", plain(bin.stated));
  text += "\nright   ";
  for (const TrackingBin& bin : reliability->bins) fmt::format_to(out, "{:>8}", plain(bin.right));
  text += "\ndistance";
  for (const TrackingBin& bin : reliability->bins) fmt::format_to(out, "{:>8}", short_number(bin.distance));
  text += "\nboxes   ";
  for (const TrackingBin& bin : reliability->bins) fmt::format_to(out, "{:>8}", bin.boxes);
  text += '\n';
}

}  // namespace

std::string tracking_summary_text(const TrackingReport& report, const std::string& folder) {
  const bool several = report.sequences.size() > 1;
  std::size_t width = 7, sequence_width = 8;
  for (const EvaluatedTracker& tracker : report.trackers)
    width = std::max(width, printable(tracker.name).size());
  for (const MarkedSequence& sequence : report.sequences)
    sequence_width = std::max(sequence_width, printable(sequence.name).size());
  std::string text = fmt::format("{:<{}}  {:<{}}{:>7}{:>9}{:>11}{:>8}{:>7}{:>8}{:>9}\n", "tracker", width,
                                 "sequence", sequence_width, "AUC", fmt::format("<={}px", kReportedPixels),
                                 "precision", "recall", "F", "absent", "present");
  const auto out = std::back_inserter(text);
  for (const EvaluatedTracker& tracker : report.trackers) {
    for (std::size_t i = 0; i < tracker.sequences.size(); ++i) {
      fmt::format_to(out, "{:<{}}  {:<{}}", printable(tracker.name), width,
                     printable(report.sequences[i].name), sequence_width);
      add_row(text, tracker.sequences[i].figures);
    }
    if (!several) continue;
    fmt::format_to(out, "{:<{}}  {:<{}}", printable(tracker.name), width, "(mean)", sequence_width);
    add_row(text, mean_figures(tracker.sequences));
  }
  fmt::format_to(out,
                 "The first frame of a sequence is not judged. <={}px: frames whose middles are at most that "
                 "far apart, in percent. Precision and recall in percent, for an overlap of at least {}. "
                 "Absent, present: frames without and with the object that have no box, in percent.\n",
                 kReportedPixels, report.trackers.front().sequences.front().rule.overlap);
  for (const EvaluatedTracker& tracker : report.trackers) add_confidence(text, tracker);
  return text + "See " + printable(folder) + "/index.html\n";
}

std::string tracking_summary_json(const TrackingReport& report, const std::string& folder) {
  const nlohmann::ordered_json whole = nlohmann::ordered_json::parse(tracking_eval_json(report));
  nlohmann::ordered_json json;
  json["out"] = clean_utf8(folder);
  json["trackers"] = nlohmann::ordered_json::array();
  for (const nlohmann::ordered_json& tracker : whole["trackers"]) {
    nlohmann::ordered_json each;
    each["name"] = tracker["name"];
    each["mean"] = without_curves(tracker["mean"]);
    for (const nlohmann::ordered_json& sequence : tracker["sequences"])
      each["sequences"][sequence["name"].get<std::string>()] = without_curves(sequence["figures"]);
    const nlohmann::ordered_json& reliability = tracker["reliability"];
    each["confidence_difference"] = reliability.is_null() ? reliability : reliability["difference"];
    json["trackers"].push_back(each);
  }
  return json.dump() + "\n";
}

}  // namespace winnow::cli
