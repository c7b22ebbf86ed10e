// Writes the page of an evaluation of landmarks, as winnow/eval_landmarks.h declares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include <winnow/error.h>
#include <winnow/eval_landmarks.h>
#include <winnow/image.h>

#include "eval/landmark_figures.h"
#include "eval/landmark_report.h"
#include "eval/landmark_rule.h"
#include "eval/page_words.h"
#include "eval/report.h"
#include "page/html.h"
#include "page/thumb.h"

namespace winnow {
namespace {

constexpr std::size_t kMostThumbs = 24, kMostMissed = 200;
constexpr ThumbSize kFaceThumb{0.15, 300};

class Page {
 public:
  explicit Page(const LandmarkReport& report) : report_(report) {}

  std::string text() {
    text_ = page_head(clean(report_.title));
    set();
    rows();
    add("<h2>Curves</h2>\n{}", landmark_curves(report_));
    reliability_rows();
    add("<h2>Error of each point</h2>\n{}", point_errors(report_));
    options();
    make_thumbs();
    for (std::size_t i = 0; i < report_.models.size(); ++i) worst(i);
    text_ += page_end();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> pattern, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Values>(values)...);
  }

  void set() {
    if (report_.models.empty()) return;
    const LandmarkEvaluation& e = report_.models.front().faces;
    add("<p>Pictures: {}, {} {}", pictures(e.pictures), spaced(e.faces), e.faces == 1 ? "face" : "faces");
    if (e.left_out > 0) add(", {} more that are ignored or have no points", spaced(e.left_out));
    if (report_.unread > 0)
      add("; <strong>{} could not be searched: left out</strong>", pictures(report_.unread));
    add(". An error is the mean distance of a face's points from the marked points, divided by a length of "
        "the marked face. Faces that were not found are counted apart.</p>\n");
  }

  void rows() {
    add("<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">Model</th><th class=\"name\">Boxes</th>"
        "<th>Found</th><th>Not found</th><th class=\"name\">Divided by</th><th>Mean</th><th>Median</th>");
    for (const double error : kReportedLandmarkErrors) add("<th>Above {:.0f} %</th>", 100 * error);
    add("<th>Area to {:.0f} %</th><th>Fit, s</th></tr></thead>\n<tbody>\n",
        100 * kReportedLandmarkErrors.front());
    for (const EvaluatedLandmarks& model : report_.models) model_rows(model);
    add("</tbody></table></div>\n<p>Area: under the cumulative curve from 0 to {:.0f} %, as a fraction; 1 is "
        "perfect. Root of squares: the root of the sum of squared distances, divided by the eye corners' "
        "distance and by the number of points.</p>\n",
        100 * kReportedLandmarkErrors.front());
  }

  void model_rows(const EvaluatedLandmarks& model) {
    const LandmarkEvaluation& e = model.faces;
    bool first = true;
    for (const LandmarkNorm norm : kLandmarkNorms) {
      const NormErrors& errors = e.of(norm);
      if (errors.curve.empty() && norm != LandmarkNorm::kSide) continue;
      if (first) {
        add("<tr><td class=\"name\">{}</td><td class=\"name\">{}</td><td>{}</td><td>{}</td>",
            clean(model.name), clean(model.boxes), spaced(static_cast<std::int64_t>(e.found.size())),
            spaced(static_cast<std::int64_t>(e.missed.size())));
      } else {
        add("<tr><td class=\"name\"></td><td></td><td></td><td></td>");
      }
      add("<td class=\"name\">{}</td><td>{}</td><td>{}</td>", norm_words(norm), percent(errors.mean, 2),
          percent(errors.median, 2));
      for (const double error : kReportedLandmarkErrors) add("<td>{}</td>", percent(errors.above(error)));
      add("<td>{}</td>", plain(errors.area_to(kReportedLandmarkErrors.front())));
      add("<td>{}</td></tr>\n", first ? fmt::format("{:.2f}", model.fit_seconds) : std::string());
      first = false;
    }
  }

  void reliability_rows() {
    if (std::none_of(report_.models.begin(), report_.models.end(),
                     [](const EvaluatedLandmarks& model) { return model.faces.reliability.has_value(); }))
      return;
    add("<h2>Confidence</h2>\n<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">Model</th>"
        "<th class=\"name\"></th>");
    for (int tenth = 0; tenth < 10; ++tenth) add("<th>{:.1f} to {:.1f}</th>", tenth / 10., (tenth + 1) / 10.);
    add("<th>Mean difference</th></tr></thead>\n<tbody>\n");
    for (const EvaluatedLandmarks& model : report_.models) {
      if (!model.faces.reliability) continue;
      const Reliability& reliability = *model.faces.reliability;
      add("<tr><td class=\"name\">{}</td><td class=\"name\">stated</td>", clean(model.name));
      for (const ReliabilityBin& bin : reliability.bins) add("<td>{}</td>", plain(bin.stated));
      add("<td>{}</td></tr>\n<tr><td></td><td class=\"name\">observed</td>", plain(reliability.difference()));
      for (const ReliabilityBin& bin : reliability.bins) add("<td>{}</td>", plain(bin.observed));
      add("<td></td></tr>\n<tr><td></td><td class=\"name\">points</td>");
      for (const ReliabilityBin& bin : reliability.bins) add("<td>{}</td>", spaced(bin.points));
      add("<td></td></tr>\n");
    }
    add("</tbody></table></div>\n");
  }

  void options() {
    add("<h2>Options</h2>\n<dl>\n");
    for (const std::string& truth : report_.truth) add("<dt>truth</dt><dd>{}</dd>\n", clean(truth));
    if (report_.move > 0)
      add("<dt>move</dt><dd>each box by {} of its side, with seed {}</dd>\n", report_.move, report_.seed);
    for (const EvaluatedLandmarks& model : report_.models) {
      add("<dt>{}</dt><dd>{} ({}), {} points", clean(model.name), clean(model.file), xml_text(model.backend),
          model.points);
      add("<br>boxes: {}", clean(model.boxes));
      if (model.detect) {
        for (const auto& [name, words] : search_words(*model.detect))
          add("<br>{}: {}", name, xml_text(words));
      }
      add("</dd>\n");
    }
    add("</dl>\n");
  }

  struct Shown {
    const JudgedFace* face;
    RealBox place;
    std::optional<Thumb> thumb;
  };

  // Opens each picture once, even if several models show a face of it.
  void make_thumbs() {
    shown_.resize(report_.models.size());
    std::map<std::size_t, std::vector<Shown*>> by_picture;
    for (std::size_t i = 0; i < report_.models.size(); ++i) {
      shown_[i] = worst_faces(report_.models[i].faces);
      for (Shown& each : shown_[i]) by_picture[each.face->picture].push_back(&each);
    }
    for (const auto& [index, all] : by_picture) {
      try {
        const Picture picture = read_picture(report_.pictures[index].path);
        for (Shown* each : all) each->thumb = make_thumb(picture.gray.view(), each->place, kFaceThumb);
      } catch (const Error&) {
        // If a picture cannot be read, its faces are shown without a crop.
      }
    }
  }

  std::vector<Shown> worst_faces(const LandmarkEvaluation& faces) const {
    const LandmarkNorm norm = faces.main_norm();
    std::vector<Shown> worst;
    for (const JudgedFace& face : faces.found) {
      if (std::isnan(face.error(norm))) continue;
      const Label& label = report_.pictures[face.picture].labels[face.label];
      worst.push_back({&face, box_of_points(label, face.shape), std::nullopt});
    }
    std::stable_sort(worst.begin(), worst.end(), [norm](const Shown& a, const Shown& b) {
      return a.face->error(norm) > b.face->error(norm);
    });
    if (worst.size() > kMostThumbs) worst.resize(kMostThumbs);
    return worst;
  }

  void worst(std::size_t i) {
    const EvaluatedLandmarks& model = report_.models[i];
    const LandmarkEvaluation& e = model.faces;
    add("<h2>{}: what is worth a look</h2>\n<h3>Worst faces, in % of {} (green: marked by people, orange: "
        "found)</h3>\n",
        clean(model.name), norm_words(e.main_norm()));
    if (shown_[i].empty()) add("<p>None.</p>\n");
    add("<div class=\"thumbs\" style=\"grid-template-columns:repeat(auto-fill,minmax(210px,1fr))\">\n");
    for (const Shown& each : shown_[i]) face(each, e);
    add("</div>\n<h3>Faces that were not found ({} of {})</h3>\n",
        spaced(static_cast<std::int64_t>(e.missed.size())), spaced(e.faces));
    missed(e);
  }

  void face(const Shown& shown, const LandmarkEvaluation& e) {
    const LabelledPicture& picture = report_.pictures[shown.face->picture];
    const std::string name = clean(picture.name);
    add("<figure title=\"{}\">", name);
    if (shown.thumb) {
      add("<div><img alt=\"\" width=\"{}\" height=\"{}\" src=\"{}\">{}</div>", shown.thumb->width,
          shown.thumb->height, shown.thumb->uri,
          points_over(*shown.thumb, shown.place, picture.labels[shown.face->label], shown.face->shape, e));
    }
    add("<figcaption>{}<br>{}</figcaption></figure>\n", percent(shown.face->error(e.main_norm()), 2), name);
  }

  void missed(const LandmarkEvaluation& e) {
    if (e.missed.empty()) {
      add("<p>None.</p>\n");
      return;
    }
    add("<ul>\n");
    for (std::size_t i = 0; i < std::min(e.missed.size(), kMostMissed); ++i) {
      const LabelledPicture& picture = report_.pictures[e.missed[i].picture];
      const RealBox box = box_around(picture.labels[e.missed[i].label].points);
      add("<li>{}: {:.0f} x {:.0f} pixels at {:.0f}, {:.0f}</li>\n", clean(picture.name), box.width,
          box.height, box.x, box.y);
    }
    add("</ul>\n");
    if (e.missed.size() > kMostMissed)
      add("<p>{} more are in faces.csv.</p>\n",
          spaced(static_cast<std::int64_t>(e.missed.size() - kMostMissed)));
  }

  const LandmarkReport& report_;
  std::vector<std::vector<Shown>> shown_;
  std::string text_;
};

}  // namespace

std::string landmark_eval_page(const LandmarkReport& report) {
  check_pictures(report);
  return Page(report).text();
}

}  // namespace winnow
