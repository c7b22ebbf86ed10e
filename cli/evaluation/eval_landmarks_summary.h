// Writes a summary of an evaluation of landmarks: tables for people, or one line of JSON.
//
// In:     a report with at least one model, and the folder of its files.
// Out:    text for standard output.
#pragma once

#include <winnow/eval_landmarks.h>

#include <string>

namespace winnow::cli {

std::string landmark_summary_text(const LandmarkReport& report, const std::string& folder);
std::string landmark_summary_json(const LandmarkReport& report, const std::string& folder);

}  // namespace winnow::cli
