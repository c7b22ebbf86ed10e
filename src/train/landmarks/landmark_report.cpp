// Makes the page at the end of a training of landmarks: errors by stage, their distribution, the worst faces.
// The opening comment of winnow/train_landmarks.h, which declares the page, holds here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/train_landmarks.h>

#include "page/html.h"
#include "page/svg_plot.h"
#include "page/thumb.h"
#include "train/landmarks/landmark_options.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

constexpr std::size_t kMostThumbs = 24;
constexpr ThumbSize kFaceThumb{0.15, 300};

std::vector<double> errors_of(const LandmarkResult& result, bool held_back) {
  std::vector<double> errors;
  for (const FittedFace& face : result.faces)
    if (face.held_back == held_back && std::isfinite(face.error)) errors.push_back(face.error);
  std::sort(errors.begin(), errors.end());
  return errors;
}

PlotSeries curve_of(const std::vector<double>& errors, const char* name) {
  PlotSeries series{name, {{0, 0}}, true};
  for (std::size_t i = 0; i < errors.size(); ++i)
    series.points.push_back(
        {100 * errors[i], static_cast<double>(i + 1) / static_cast<double>(errors.size())});
  return series;
}

std::string stage_plot(const LandmarkResult& result) {
  PlotSeries learned{"faces of the training", {}}, held_back{"held-back faces", {}};
  double most = 0;
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    const LandmarkStage& stage = result.stages[i];
    const auto number = static_cast<double>(i + 1);
    learned.points.push_back({number, 100 * stage.error});
    held_back.points.push_back({number, 100 * stage.held_back_error});
    most = std::max(
        {most, 100 * stage.error, std::isnan(stage.held_back_error) ? 0 : 100 * stage.held_back_error});
  }
  return svg_plot({"Mean error after each stage",
                   {"stage", 1, std::max(2.0, static_cast<double>(result.stages.size()))},
                   {"mean error, %", 0, round_limit(std::max(most, 0.1))},
                   {learned, held_back}});
}

// Returns the at most kMostThumbs faces with the largest errors, the largest error first.
std::vector<const FittedFace*> worst_of(const LandmarkResult& result, bool held_back) {
  std::vector<const FittedFace*> worst;
  for (const FittedFace& face : result.faces)
    if (face.held_back == held_back && std::isfinite(face.error)) worst.push_back(&face);
  std::stable_sort(worst.begin(), worst.end(),
                   [](const FittedFace* a, const FittedFace* b) { return a->error > b->error; });
  if (worst.size() > kMostThumbs) worst.resize(kMostThumbs);
  return worst;
}

std::string face_figure(const FaceSet& faces, const FittedFace& fitted) {
  const TrainingFace& face = faces.faces[fitted.face];
  const std::string& path = faces.pictures[face.picture];
  const std::string name = xml_text(std::filesystem::path(path).filename().string());
  std::string text = fmt::format("<figure title=\"{}\">", name);
  try {
    std::vector<Point> all = face.points;
    all.insert(all.end(), fitted.points.begin(), fitted.points.end());
    const RealBox place = box_around(all);
    const Picture picture = read_picture(path);
    if (const auto thumb = make_thumb(picture.gray.view(), place, kFaceThumb))
      text += fmt::format("<div><img alt=\"\" width=\"{}\" height=\"{}\" src=\"{}\">{}</div>", thumb->width,
                          thumb->height, thumb->uri, points_over(*thumb, place, face.points, fitted.points));
  } catch (const Error&) {
    // The face is shown without a crop.
  }
  return text + fmt::format("<figcaption>{:.2f} %{}<br>{}</figcaption></figure>\n", 100 * fitted.error,
                            face.found ? "" : ", not found", name);
}

std::string worst_section(const FaceSet& faces, const LandmarkResult& result, bool held_back,
                          const char* title) {
  const std::vector<const FittedFace*> worst = worst_of(result, held_back);
  if (worst.empty()) return "";
  std::string text = fmt::format(
      "<h2>{} (green: marked by people, orange: found)</h2>\n"
      "<div class=\"thumbs\" style=\"grid-template-columns:repeat(auto-fill,minmax(210px,1fr))\">\n",
      title);
  for (const FittedFace* face : worst) text += face_figure(faces, *face);
  return text + "</div>\n";
}

}  // namespace

std::string training_page(const FaceSet& faces, const LandmarkOptions& options, const RunOptions& run,
                          const LandmarkResult& result) {
  const LandmarkModel& model = result.landmarks.model();
  const PointScheme scheme = model.scheme.value_or(PointScheme{});
  const std::vector<double> learned = errors_of(result, false), held_back = errors_of(result, true);
  std::string page = page_head("Training of " +
                               (model.card.name.empty() ? std::string("points") : xml_text(model.card.name)));
  page += fmt::format(
      "<p>{} points, {} stages of {} trees in {:.1f} s ({} backend), from {} samples of {} faces. {} faces "
      "were held back. Seed {}.</p>\n",
      model.mean.size(), model.trees.stages, options.trees, result.seconds, xml_text(result.backend),
      result.samples, learned.size(), held_back.size(), run.seed);
  page += fmt::format(
      "<p>Boxes: {}. An error is the mean distance of a face's points from the marked points, divided by {}. "
      "Faces of the training look better than others do; the held-back faces are what to expect.</p>\n",
      faces.detector.empty() ? "as they were given" : "of the detector " + xml_text(faces.detector),
      norm_text(scheme));
  page += fmt::format("<p>What the points are: {}.</p>\n", xml_text(result.scheme.mirrored_sentence));
  if (result.presence)
    page += fmt::format(
        "<p>Presence at a bound of 0.5 keeps {} of {} held-back faces, and {} of {} false alarms of the "
        "detector in pictures without faces.</p>\n",
        result.presence->kept_faces, result.presence->faces, result.presence->kept_false_boxes,
        result.presence->false_boxes);
  page +=
      "<div class=\"wide\"><table>\n<thead><tr><th>Stage</th><th>Faces of the training</th>"
      "<th>Held-back faces</th><th>Seconds</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    const LandmarkStage& stage = result.stages[i];
    page += fmt::format(
        "<tr><td>{}</td><td>{:.2f} %</td><td>{}</td><td>{:.1f}</td></tr>\n", i + 1, 100 * stage.error,
        std::isnan(stage.held_back_error) ? std::string("none")
                                          : fmt::format("{:.2f} %", 100 * stage.held_back_error),
        stage.seconds);
  }
  page += "</tbody></table></div>\n";
  constexpr double kShown = 15;  // percent
  Plot curves{"Faces with at most this error", {"error, %", 0, kShown}, {"fraction of faces", 0, 1}, {}};
  curves.series.push_back(curve_of(learned, "faces of the training"));
  if (!held_back.empty()) curves.series.push_back(curve_of(held_back, "held-back faces"));
  page += "<div class=\"plots\">\n<figure>" + stage_plot(result) + "</figure>\n<figure>" + svg_plot(curves) +
          "</figure>\n</div>\n";
  page += worst_section(faces, result, true, "Worst held-back faces");
  page += worst_section(faces, result, false, "Worst faces of the training");
  return page + page_end();
}

}  // namespace winnow
