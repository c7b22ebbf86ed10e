#include "evaluation/eval_summary.h"

#include <fmt/format.h>
#include <winnow/answer.h>

#include <algorithm>
#include <iterator>

#include "evaluation/eval_words.h"
#include "terminal/text.h"

namespace winnow::cli {
namespace {

std::size_t name_width(const EvalReport& report) {
  std::size_t width = 5;
  for (const EvaluatedModel& model : report.models) width = std::max(width, printable(model.name).size());
  return width;
}

void add_pictures(std::string& text, const EvalReport& report) {
  const auto out = std::back_inserter(text);
  const std::size_t width = name_width(report);
  fmt::format_to(out, "{:<{}}", "model", width);
  for (const std::int64_t wrong : kReportedFalsePositives) fmt::format_to(out, "{:>7}", wrong);
  fmt::format_to(out, "{:>8}{:>8}{:>10}{:>8}{:>9}{:>9}\n", "AP", "LAMR", "ends", "found", "wrong", "seconds");
  for (const EvaluatedModel& model : report.models) {
    const Evaluation& e = *model.pictures;
    fmt::format_to(out, "{:<{}}", printable(model.name), width);
    for (const std::int64_t wrong : kReportedFalsePositives)
      fmt::format_to(out, "{:>7}", percent(e.recall_at(wrong)));
    fmt::format_to(out, "{:>8}{:>8}{:>10}{:>8}{:>9}{:>9.2f}\n", plain(e.average_precision()),
                   plain(e.log_average_miss_rate()), short_number(e.ends_at()), e.found(), e.wrong(),
                   model.seconds);
  }
  const Evaluation& first = *report.models.front().pictures;
  fmt::format_to(
      out,
      "{} in {}. Under 1 to 100: recall in percent with at most so many false positives; LAMR: "
      "log-average miss rate over false positives per picture; ends: that rate where the curve ends.\n",
      counted(first.labels, "object"), counted(first.pictures, "picture"));
}

void add_windows(std::string& text, const EvalReport& report) {
  const auto out = std::back_inserter(text);
  const std::size_t width = name_width(report);
  fmt::format_to(out, "{:<{}}{:>9}{:>9}{:>13}{:>10}", "model", width, "crops", "passed", "windows",
                 "survived");
  for (const auto& [name, rate] : kReportedPerWindow) fmt::format_to(out, "{:>8}", name);
  fmt::format_to(out, "{:>10}\n", "ends");
  for (const EvaluatedModel& model : report.models) {
    const WindowEvaluation& e = *model.windows;
    const WindowPoint last = e.curve.empty() ? WindowPoint() : e.curve.back();
    fmt::format_to(out, "{:<{}}{:>9}{:>9}{:>13}{:>10}", printable(model.name), width, e.positives, last.found,
                   e.windows, last.wrong);
    for (const auto& [name, rate] : kReportedPerWindow)
      fmt::format_to(out, "{:>8}", percent(e.miss_rate_at(rate)));
    fmt::format_to(out, "{:>10}\n", short_number(e.ends_at()));
  }
  text +=
      "Under 1e-6 to 1e-3: miss rate in percent with at most so many false positives per window; ends: that "
      "rate where the curve ends.\n";
}

}  // namespace

std::string eval_summary_text(const EvalReport& report, const std::string& folder) {
  std::string text;
  if (report.models.front().pictures) add_pictures(text, report);
  if (report.models.front().windows) add_windows(text, report);
  if (report.unread > 0) text += counted(report.unread, "picture") + " could not be searched: left out.\n";
  if (report.unjudged > 0)
    text += counted(report.unjudged, "picture") + " of windows could not be judged: left out.\n";
  return text + "See " + printable(folder) + "/index.html\n";
}

std::string eval_summary_json(const EvalReport& report, const std::string& folder) {
  nlohmann::ordered_json json;
  json["out"] = clean_utf8(folder);
  json["pictures"] = report.pictures.size();
  json["unread"] = report.unread;
  json["unjudged"] = report.unjudged;
  json["models"] = nlohmann::ordered_json::array();
  for (const EvaluatedModel& model : report.models) {
    nlohmann::ordered_json each;
    each["name"] = clean_utf8(model.name);
    each["kind"] = model.kind;
    if (model.pictures) {
      const Evaluation& e = *model.pictures;
      each["objects"] = e.labels;
      each["found"] = e.found();
      each["wrong"] = e.wrong();
      for (const std::int64_t wrong : kReportedFalsePositives)
        each["recall_at"][std::to_string(wrong)] = number(e.recall_at(wrong));
      each["average_precision"] = number(e.average_precision());
      each["log_average_miss_rate"] = number(e.log_average_miss_rate());
      for (const auto& [name, rate] : kReportedPerPicture)
        each["miss_rate_at"][name] = number(e.miss_rate_at(rate));
    }
    if (model.windows) {
      const WindowEvaluation& e = *model.windows;
      const WindowPoint last = e.curve.empty() ? WindowPoint() : e.curve.back();
      each["windows"] = {{"positives", e.positives},
                         {"passed", last.found},
                         {"windows", e.windows},
                         {"survived", last.wrong}};
      for (const auto& [name, rate] : kReportedPerWindow)
        each["windows"]["miss_rate_at"][name] = number(e.miss_rate_at(rate));
    }
    each["seconds"] = model.seconds;
    json["models"].push_back(each);
  }
  return json.dump() + "\n";
}

}  // namespace winnow::cli
