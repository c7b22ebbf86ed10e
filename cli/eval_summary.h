// The figures of an evaluation in short: a table for people, or one line of JSON.
#pragma once

#include <winnow/eval.h>

#include <string>

namespace winnow::cli {

std::string eval_summary_text(const EvalReport& report, const std::string& folder);
std::string eval_summary_json(const EvalReport& report, const std::string& folder);

}  // namespace winnow::cli
