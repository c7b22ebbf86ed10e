// Writes a summary of an evaluation's figures: a table for people, or one line of JSON.
//
// In:     a report with at least one model, and the folder of its files.
// Out:    text for standard output.
#pragma once

#include <winnow/eval.h>

#include <string>

namespace winnow::cli {

std::string eval_summary_text(const EvalReport& report, const std::string& folder);
std::string eval_summary_json(const EvalReport& report, const std::string& folder);

}  // namespace winnow::cli
