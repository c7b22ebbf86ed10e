#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/clean_text.h"
#include "eval/report.h"
#include "eval/thumb.h"
#include "eval/worst.h"
#include "page/html.h"
#include "page/svg_plot.h"

namespace winnow {
namespace {

constexpr std::size_t kMostThumbs = 24;

std::string clean(const std::string& words) { return xml_text(clean_text(words)); }

std::string percent(double part) { return std::isnan(part) ? "–" : fmt::format("{:.1f} %", 100 * part); }

std::string plain(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

// Writes 1234567 as 1 234 567, with spaces that do not break.
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, "\u202f");
  return text;
}

std::string pictures(std::int64_t count) { return grouped(count) + (count == 1 ? " picture" : " pictures"); }

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
    if (by_picture_) picture_table();
    if (by_window_) window_table();
    add("<h2>Curves</h2>\n<div class=\"plots\">\n");
    if (by_picture_) {
      roc();
      precision();
      miss_rate();
    }
    if (by_window_) det();
    add("</div>\n");
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

  void picture_table() {
    for (const EvaluatedModel& model : report_.models) {
      if (!model.pictures) continue;
      const Evaluation& e = *model.pictures;
      add("<p>{}, {} {}", pictures(e.pictures), grouped(e.labels), e.labels == 1 ? "object" : "objects");
      if (e.ignored_labels > 0) add(", {} more that count neither way", grouped(e.ignored_labels));
      if (report_.unread > 0)
        add("; <strong>{} could not be searched: left out</strong>", pictures(report_.unread));
      add(". A detection is right if {}.</p>\n", xml_text(match_sentence(report_.rule)));
      break;
    }
    add("<div class=\"wide\"><table>\n<thead><tr><th rowspan=\"2\" class=\"name\">Model</th>"
        "<th colspan=\"{}\" style=\"text-align:center\">Recall with at most so many false positives</th>"
        "<th rowspan=\"2\">Average<br>precision</th><th rowspan=\"2\">Log-average<br>miss rate</th>"
        "<th rowspan=\"2\">Found<br>in all</th><th rowspan=\"2\">Wrong<br>in all</th>"
        "<th rowspan=\"2\">Windows</th><th rowspan=\"2\">Seconds</th></tr>\n<tr>",
        kToldFalsePositives.size());
    for (const std::int64_t wrong : kToldFalsePositives) add("<th>{}</th>", wrong);
    add("</tr></thead>\n<tbody>\n");
    for (const EvaluatedModel& model : report_.models) {
      if (!model.pictures) continue;
      const Evaluation& e = *model.pictures;
      add("<tr><td class=\"name\">{}</td>", clean(model.name));
      for (const std::int64_t wrong : kToldFalsePositives) add("<td>{}</td>", percent(e.recall_at(wrong)));
      add("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n",
          plain(e.average_precision()), plain(e.log_average_miss_rate()), grouped(e.found()),
          grouped(e.wrong()), grouped(model.windows_searched), model.seconds);
    }
    add("</tbody></table></div>\n");
  }

  void window_table() {
    if (report_.unjudged > 0)
      add("<p><strong>{} of windows could not be judged: left out</strong></p>\n",
          pictures(report_.unjudged));
    add("<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">Model</th><th>Crops</th><th>Passed</th>"
        "<th>Negative windows</th><th>Survived</th><th>Miss rate<br>at 1e-6</th>"
        "<th>at 1e-5</th><th>at 1e-4</th></tr></thead>\n<tbody>\n");
    for (const EvaluatedModel& model : report_.models) {
      if (!model.windows) continue;
      const WindowEvaluation& e = *model.windows;
      const WindowPoint last = e.curve.empty() ? WindowPoint{} : e.curve.back();
      add("<tr><td "
          "class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</"
          "td></"
          "tr>\n",
          clean(model.name), grouped(e.positives), grouped(last.found), grouped(e.windows),
          grouped(last.wrong), percent(e.miss_rate_at(1e-6)), percent(e.miss_rate_at(1e-5)),
          percent(e.miss_rate_at(1e-4)));
    }
    add("</tbody></table></div>\n");
  }

  // One series a model. `begin` goes before the first point.
  template <class Points>
  void plot(Plot& plot, Points points, bool steps, std::optional<PlotPoint> begin,
            const std::string& caption) {
    for (const EvaluatedModel& model : report_.models) {
      PlotSeries series{clean_text(model.name), {}, steps};
      if (begin) series.points.push_back(*begin);
      for (const RatePoint& p : points(model)) series.points.push_back({p.x, p.y});
      plot.series.push_back(std::move(series));
    }
    add("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg_plot(plot), xml_text(caption));
  }

  template <class Points>
  auto of_pictures(Points points) {
    return [points](const EvaluatedModel& model) {
      return model.pictures ? points(*model.pictures) : std::vector<RatePoint>();
    };
  }

  void roc() {
    std::int64_t most = 1, labels = 0;
    for (const EvaluatedModel& model : report_.models) {
      if (!model.pictures) continue;
      most = std::max(most, model.pictures->wrong());
      labels = std::max(labels, model.pictures->labels);
    }
    // The part of interest has fewer false positives than objects.
    const double limit =
        round_limit(static_cast<double>(std::min(most, std::max<std::int64_t>(labels, 100))));
    std::string caption = "Steps: the recall with at most so many false positives.";
    if (static_cast<double>(most) > limit)
      caption += fmt::format(" Up to {} false positives; curves.csv has the rest.", limit);
    Plot picture{"Recall over false positives",
                 {"false positives, all pictures (count)", 0, limit, false},
                 {"recall", 0, 1, false},
                 {}};
    plot(picture, of_pictures(roc_points), true, PlotPoint{0, 0}, caption);
  }

  void precision() {
    Plot picture{"Precision over recall", {"recall", 0, 1, false}, {"precision", 0, 1, false}, {}};
    plot(picture, of_pictures(precision_points), false, std::nullopt,
         "As measured; the average precision is the area under its upper hull from the right: at each recall "
         "the best precision at that recall or above.");
  }

  void miss_rate() {
    const double low = lowest_rate(of_pictures(miss_points), 1e-3),
                 high = highest_x(of_pictures(miss_points), 1);
    Plot picture{"Miss rate over false positives per picture",
                 {"false positives per picture", lowest_x(of_pictures(miss_points), 1e-2), high, true},
                 {"miss rate", low, 1, true},
                 {}};
    plot(picture, of_pictures(miss_points), true, PlotPoint{0, 1},
         "The log-average miss rate is the geometric mean of nine steps from 0.01 to 1 false positives per "
         "picture.");
  }

  void det() {
    const auto points = [](const EvaluatedModel& model) {
      return model.windows ? det_points(*model.windows) : std::vector<RatePoint>();
    };
    Plot picture{"Miss rate over false positives per window",
                 {"false positives per window", lowest_x(points, 1e-5), highest_x(points, 1e-4), true},
                 {"miss rate", lowest_rate(points, 1e-3), 1, true},
                 {}};
    plot(picture, points, true, PlotPoint{0, 1},
         "Crops that a stage rejects are missed; windows are counted on the grid, those that are skipped "
         "too.");
  }

  // The decade below the smallest x above 0, or below `bound` if that is lower; not below 1e-9.
  template <class Points>
  double lowest_x(Points points, double bound) const {
    double least = bound;
    for (const EvaluatedModel& model : report_.models) {
      for (const RatePoint& p : points(model)) {
        if (p.x > 0) least = std::min(least, p.x);
      }
    }
    return std::max(std::pow(10.0, std::floor(std::log10(least) + 1e-9)), 1e-9);
  }

  template <class Points>
  double highest_x(Points points, double bound) const {
    double most = bound;
    for (const EvaluatedModel& model : report_.models) {
      for (const RatePoint& p : points(model)) most = std::max(most, p.x);
    }
    return std::pow(10.0, std::ceil(std::log10(most) - 1e-9));
  }

  // A round miss rate below all curves, but not below `bound`; at most a half.
  template <class Points>
  double lowest_rate(Points points, double bound) const {
    double least = 0.5;
    for (const EvaluatedModel& model : report_.models) {
      for (const RatePoint& p : points(model)) {
        if (p.y > 0) least = std::min(least, p.y);
      }
    }
    return std::max(round_limit(least * 0.4), bound);
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
    for (const auto& [name, words] : search_words(report_.detect))
      add("<dt>{}</dt><dd>{}</dd>\n", name, xml_text(words));
    for (const EvaluatedModel& model : report_.models)
      add("<dt>{}</dt><dd>{} ({})</dd>\n", clean(model.name), clean(model.file), xml_text(model.backend));
    add("</dl>\n");
  }

  struct Shown {
    WorstError error;
    std::optional<Thumb> thumb;
  };

  // Opens each picture once, whichever models erred on it.
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
        // The errors of this picture are shown without a crop.
      }
    }
  }

  void worst(std::size_t i) {
    const EvaluatedModel& model = report_.models[i];
    if (!model.pictures) return;
    add("<h2>{}: what is worth a look</h2>\n", clean(model.name));
    gallery(fmt::format("Strongest false positives (of {})", grouped(model.pictures->wrong())),
            shown_[i].first);
    gallery(fmt::format("Hardest objects: not found at all ({} of {}), then found at the lowest ranks",
                        grouped(model.pictures->labels - model.pictures->found()),
                        grouped(model.pictures->labels)),
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
