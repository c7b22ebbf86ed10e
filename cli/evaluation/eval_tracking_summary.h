// Writes a summary of an evaluation of trackers: a table for people, or one line of JSON.
//
// In:     a report with at least one tracker and one sequence, and the folder of its files.
// Out:    text for standard output.
#pragma once

#include <winnow/eval_tracking.h>

#include <string>

namespace winnow::cli {

std::string tracking_summary_text(const TrackingReport& report, const std::string& folder);
std::string tracking_summary_json(const TrackingReport& report, const std::string& folder);

}  // namespace winnow::cli
