// Writes the page of an evaluation, as winnow/eval.h declares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <winnow/error.h>
#include <winnow/image.h>

#include "eval/page_curves.h"
#include "eval/page_words.h"
#include "eval/report.h"
#include "eval/worst.h"
#include "page/html.h"
#include "page/thumb.h"

namespace winnow {
namespace {

constexpr std::size_t kMostThumbs = 24;

class Page {
 public:
  explicit Page(const EvalReport& report) : report_(report) {
    for (const EvaluatedModel& model : report.models) {
      by_picture_ = by_picture_ || model.pictures.has_value();
      by_window_ = by_window_ || model.windows.has_value();
    }
  }

  std::string text() {
    text_ = page_head(clean(report_.title));
    sets();
    miss_rate_rows();
    add("<h2>Curves</h2>\n{}", curve_figures(report_));
    if (by_picture_) picture_rows();
    if (by_window_) window_rows();
    options();
    if (by_picture_) {
      make_thumbs();
      for (std::size_t i = 0; i < report_.models.size(); ++i) worst(i);
    }
    text_ += page_end();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> pattern, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Values>(values)...);
  }

  // States what was judged: one sentence for windows, one for pictures.
  void sets() {
    for (const EvaluatedModel& model : report_.models) {
      if (!model.windows) continue;
      add("<p>Windows: {} {} of the object, and all windows of pictures without it.",
          spaced(model.windows->positives), model.windows->positives == 1 ? "crop" : "crops");
      if (report_.unjudged > 0)
        add(" <strong>{} of windows could not be judged: left out.</strong>", pictures(report_.unjudged));
      add("</p>\n");
      break;
    }
    for (const EvaluatedModel& model : report_.models) {
      if (!model.pictures) continue;
      const Evaluation& e = *model.pictures;
      add("<p>Pictures: {}, {} {}", pictures(e.pictures), spaced(e.labels),
          e.labels == 1 ? "object" : "objects");
      if (e.ignored_labels > 0) add(", {} more that count neither way", spaced(e.ignored_labels));
      if (report_.unread > 0)
        add("; <strong>{} could not be searched: left out</strong>", pictures(report_.unread));
      add(". A detection is right if {}.</p>\n", xml_text(match_sentence(report_.rule)));
      break;
    }
  }

  // Writes one table with the miss rates of all models: per window, then per picture.
  void miss_rate_rows() {
    if (!by_picture_ && !by_window_) return;
    const auto head_over = [&](std::size_t columns, const char* whole) {
      add("<th colspan=\"{}\" class=\"group\">Miss rate by false positives per {}</th>", columns, whole);
    };
    add("<div class=\"wide\"><table>\n<thead><tr><th rowspan=\"2\" class=\"name\">Model</th>"
        "<th rowspan=\"2\" class=\"name\">Kind</th>");
    if (by_window_) head_over(kReportedPerWindow.size() + 1, "window");
    if (by_picture_) head_over(kReportedPerPicture.size() + 2, "picture");
    add("</tr>\n<tr>");
    if (by_window_) {
      for (const ReportedRate& reported : kReportedPerWindow) add("<th>{}</th>", reported.name);
      add("<th>curve ends</th>");
    }
    if (by_picture_) {
      add("<th>log-average</th>");
      for (const ReportedRate& reported : kReportedPerPicture) add("<th>{}</th>", reported.name);
      add("<th>curve ends</th>");
    }
    add("</tr></thead>\n<tbody>\n");
    for (const EvaluatedModel& model : report_.models) {
      add("<tr><td class=\"name\">{}</td><td class=\"name\">{}</td>", clean(model.name), clean(model.kind));
      if (by_window_) miss_rates(model.windows, kReportedPerWindow);
      if (by_picture_) {
        add("<td>{}</td>", model.pictures ? percent(model.pictures->log_average_miss_rate()) : "–");
        miss_rates(model.pictures, kReportedPerPicture);
      }
      add("</tr>\n");
    }
    add("</tbody></table></div>\n<p>A miss rate is the smallest with at most so many false positives. "
        "Beyond the end of a curve it stays that of the end.");
    if (by_picture_) add(" Log-average: the geometric mean at nine rates from 0.01 to 1.");
    add("</p>\n");
  }

  // Writes the cells of one model's miss rates. A cell holds a dash if the model has no such rates.
  template <class Rates>
  void miss_rates(const std::optional<Rates>& rates, std::span<const ReportedRate> reported) {
    for (const ReportedRate& each : reported)
      add("<td>{}</td>", rates ? percent(rates->miss_rate_at(each.rate)) : "–");
    add("<td>{}</td>", rates ? number(rates->ends_at()) : "–");
  }

  void picture_rows() {
    add("<h2>Pictures</h2>\n<div class=\"wide\"><table>\n<thead><tr><th rowspan=\"2\" "
        "class=\"name\">Model</th><th colspan=\"{}\" class=\"group\">Recall with at most so many false "
        "positives</th>"
        "<th rowspan=\"2\">Average<br>precision</th>"
        "<th rowspan=\"2\">Found<br>in all</th><th rowspan=\"2\">Wrong<br>in all</th>"
        "<th rowspan=\"2\">Windows</th><th rowspan=\"2\">Seconds</th></tr>\n<tr>",
        kReportedFalsePositives.size());
    for (const std::int64_t wrong : kReportedFalsePositives) add("<th>{}</th>", wrong);
    add("</tr></thead>\n<tbody>\n");
    for (const EvaluatedModel& model : report_.models) {
      if (!model.pictures) continue;
      const Evaluation& e = *model.pictures;
      add("<tr><td class=\"name\">{}</td>", clean(model.name));
      for (const std::int64_t wrong : kReportedFalsePositives)
        add("<td>{}</td>", percent(e.recall_at(wrong)));
      add("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n", plain(e.average_precision()),
          spaced(e.found()), spaced(e.wrong()), spaced(model.windows_searched), model.seconds);
    }
    add("</tbody></table></div>\n");
  }

  void window_rows() {
    add("<h2>Windows</h2>\n<div class=\"wide\"><table>\n<thead><tr><th "
        "class=\"name\">Model</th><th>Crops</th><th>Passed</th><th>Negative "
        "windows</th><th>Survived</th></tr></thead>\n<tbody>\n");
    for (const EvaluatedModel& model : report_.models) {
      if (!model.windows) continue;
      const WindowEvaluation& e = *model.windows;
      const WindowPoint last = e.curve.empty() ? WindowPoint{} : e.curve.back();
      add("<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          clean(model.name), spaced(e.positives), spaced(last.found), spaced(e.windows), spaced(last.wrong));
    }
    add("</tbody></table></div>\n<p>Each model has the windows of its own grid, so models differ in their "
        "number.</p>\n");
  }

  void options() {
    add("<h2>Options</h2>\n<dl>\n");
    for (const std::string& truth : report_.truth) add("<dt>truth</dt><dd>{}</dd>\n", clean(truth));
    if (by_picture_) {
      add("<dt>match</dt><dd>{}: {}</dd>\n", match_name(report_.rule.match),
          xml_text(match_sentence(report_.rule)));
      add("<dt>rank</dt><dd>{}: {}; equal ranks come and go together</dd>\n", rank_name(report_.rule.rank),
          xml_text(rank_sentence(report_.rule.rank)));
    }
    for (const EvaluatedModel& model : report_.models) {
      add("<dt>{}</dt><dd>{} ({})", clean(model.name), clean(model.file), xml_text(model.backend));
      if (model.place != ObjectPlace{})
        add("<br>margin: {}, aspect: {}", model.place.margin,
            model.place.aspect > 0 ? fmt::format("{}", model.place.aspect) : std::string("as it is"));
      for (const auto& [name, words] : search_words(model.detect)) add("<br>{}: {}", name, xml_text(words));
      add("</dd>\n");
    }
    add("</dl>\n");
  }

  struct Shown {
    WorstError error;
    std::optional<Thumb> thumb;
  };

  // Opens each picture once, even if several models erred on it.
  void make_thumbs() {
    shown_.resize(report_.models.size());
    std::map<std::size_t, std::vector<Shown*>> by_picture;
    for (std::size_t i = 0; i < report_.models.size(); ++i) {
      const auto& e = report_.models[i].pictures;
      if (!e) continue;
      for (const WorstError& error : strongest_wrong(*e, kMostThumbs)) shown_[i].first.push_back({error, {}});
      for (const WorstError& error : hardest_objects(*e, report_.pictures, kMostThumbs))
        shown_[i].second.push_back({error, {}});
      for (Shown& each : shown_[i].first) by_picture[each.error.picture].push_back(&each);
      for (Shown& each : shown_[i].second) by_picture[each.error.picture].push_back(&each);
    }
    for (const auto& [index, all] : by_picture) {
      try {
        const Picture picture = read_picture(report_.pictures[index].path);
        for (Shown* each : all) each->thumb = make_thumb(picture.gray.view(), each->error.place);
      } catch (const Error&) {
        // If a picture cannot be read, its errors are shown without a crop.
      }
    }
  }

  void worst(std::size_t i) {
    const EvaluatedModel& model = report_.models[i];
    if (!model.pictures) return;
    add("<h2>{}: what is worth a look</h2>\n", clean(model.name));
    gallery(fmt::format("Strongest false positives (of {})", spaced(model.pictures->wrong())),
            shown_[i].first);
    gallery(
        fmt::format("Hardest objects: not found at all ({} of {}), then found at the lowest ranks",
                    spaced(model.pictures->labels - model.pictures->found()), spaced(model.pictures->labels)),
        shown_[i].second);
  }

  void gallery(const std::string& title, const std::vector<Shown>& all) {
    add("<h3>{}</h3>\n", title);
    if (all.empty()) {
      add("<p>None.</p>\n");
      return;
    }
    add("<div class=\"thumbs\">\n");
    for (const Shown& each : all) {
      const std::string name = clean(report_.pictures[each.error.picture].name);
      const std::string rank = each.error.rank
                                   ? fmt::format("{} {:.6g}", rank_name(report_.rule.rank), *each.error.rank)
                                   : "not found";
      add("<figure title=\"{}\">", name);
      if (each.thumb) {
        const Thumb& thumb = *each.thumb;
        add("<div><img alt=\"\" width=\"{}\" height=\"{}\" src=\"{}\"><i style=\"left:{:.1f}%;top:{:.1f}%;"
            "width:{:.1f}%;height:{:.1f}%\"></i></div>",
            thumb.width, thumb.height, thumb.uri, 100 * thumb.place.x, 100 * thumb.place.y,
            100 * thumb.place.width, 100 * thumb.place.height);
      }
      add("<figcaption>{}<br>{}</figcaption></figure>\n", rank, name);
    }
    add("</div>\n");
  }

  const EvalReport& report_;
  bool by_picture_ = false, by_window_ = false;
  std::vector<std::pair<std::vector<Shown>, std::vector<Shown>>> shown_;
  std::string text_;
};

}  // namespace

std::string eval_page(const EvalReport& report) {
  for (const EvaluatedModel& model : report.models) {
    if (!model.pictures) continue;
    for (const JudgedDetection& judged : model.pictures->judged) {
      if (judged.picture >= report.pictures.size() ||
          (judged.label && *judged.label >= report.pictures[judged.picture].labels.size()))
        throw Error(ErrorCode::kUsage,
                    "the evaluation of " + model.name + " is of other pictures than the report's");
    }
  }
  return Page(report).text();
}

}  // namespace winnow
