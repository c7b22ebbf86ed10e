// Writes the curves of an evaluation as CSV, as winnow/eval.h declares; its opening comment holds here.
//
// Exact:  numbers have their shortest exact form, so equal reports give equal bytes. No backend takes part.
#include <fmt/format.h>

#include <iterator>

#include "base/clean_text.h"
#include "eval/report.h"

namespace winnow {

std::string csv_words(const std::string& words) {
  const std::string text = clean_text(words);
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

namespace {

void add(std::string& text, const std::string& model, const char* curve,
         const std::vector<RatePoint>& points) {
  for (const RatePoint& p : points) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", model, curve, p.rank, p.found, p.wrong,
                   p.x, p.y);
  }
}

}  // namespace

std::string eval_csv(const EvalReport& report) {
  std::string text = "model,curve,rank,found,wrong,x,y\n";
  for (const EvaluatedModel& model : report.models) {
    const std::string name = csv_words(model.name);
    if (model.pictures) {
      add(text, name, "recall_over_false_positives", roc_points(*model.pictures));
      add(text, name, "precision_over_recall", precision_points(*model.pictures));
      add(text, name, "miss_rate_over_false_positives_per_picture", miss_points(*model.pictures));
    }
    if (model.windows)
      add(text, name, "miss_rate_over_false_positives_per_window", det_points(*model.windows));
  }
  return text;
}

}  // namespace winnow
