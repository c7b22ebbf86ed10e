#include "train/page_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "base/count_text.h"
#include "image/files/encode.h"
#include "page/html.h"
#include "page/svg_plot.h"
#include "session/raw_search.h"

namespace winnow {
namespace {

constexpr std::size_t kMostPictures = 150, kMostShown = 24, kMostWindows = 200'000;

void add_reached(const Counters& counters, std::vector<std::int64_t>& left) {
  left.resize(counters.reached.size() + 1);
  left[0] += counters.windows - counters.skipped;
  for (std::size_t i = 0; i < counters.reached.size(); ++i) left[i + 1] += counters.reached[i];
}

// The curve of hit rate over false positives per window: a point for each score of a false positive, the
// highest score first.
std::vector<PlotPoint> curve_of(const ModelResponse& response, std::size_t positives) {
  std::vector<PlotPoint> points;
  const auto windows = static_cast<double>(
      response.windows_left.empty() ? 1 : std::max<std::int64_t>(response.windows_left[0], 1));
  std::size_t passed = 0;
  for (std::size_t h = 0; h < response.hits.size(); ++h) {
    while (passed < response.scores.size() && response.scores[passed] >= response.hits[h].score) ++passed;
    if (h + 1 < response.hits.size() && response.hits[h + 1].score == response.hits[h].score) continue;
    points.push_back(
        {static_cast<double>(h + 1) / windows, static_cast<double>(passed) / static_cast<double>(positives)});
  }
  // Adds the positives that score less than every window.
  if (!points.empty() && passed < response.scores.size())
    points.push_back(
        {points.back().x, static_cast<double>(response.scores.size()) / static_cast<double>(positives)});
  return points;
}

// The name without its folders.
std::string short_name(const std::string& name) { return name.substr(name.find_last_of('/') + 1); }

}  // namespace

PositiveResults measure_positives(const Pack& pack, const Cascade& cascade, const MachineOptions& machine) {
  PositiveResults results;
  Detector detector(cascade, machine);
  const DetectOptions raw = raw_search();
  for (std::size_t i = 0; i < pack.positive_count(); ++i) {
    const Detections found = detector.detect(pack.positive(i), raw);
    add_reached(found.counters, results.left);
    results.scores.push_back(found.objects.empty() ? std::nullopt
                                                   : std::optional(found.objects.front().score));
  }
  return results;
}

ModelResponse measure_response(const Pack& pack, const PositiveResults& positives, const DetectorModel& model,
                               const ResponseRule& rule, const MachineOptions& machine) {
  ModelResponse response;
  response.positives_left = positives.left;
  for (std::size_t i = 0; i < positives.scores.size(); ++i) {
    const std::optional<double>& score = positives.scores[i];
    if (score) response.scores.push_back(*score);
    if (!score || *score < rule.min_score) response.rejected.push_back(i);
  }
  Detector detector(model, machine);
  DetectOptions raw = raw_search();
  raw.min_score = rule.search_min_score;
  const std::size_t step = pack.negatives.size() / kMostPictures + 1;
  for (std::size_t i = 0; i < pack.negatives.size(); i += step) {
    Picture picture;
    try {
      picture = decode_picture(pack.negatives[i].file, {rule.color});
    } catch (const Error&) {
      continue;  // a broken picture, which training did not need
    }
    const Detections found = detector.detect(picture.view(), raw);
    // Stops before the page lists too many windows. The counters of this picture are then left out, too.
    if (response.hits.size() + found.objects.size() > kMostWindows && response.pictures > 0) break;
    add_reached(found.counters, response.windows_left);
    ++response.pictures;
    for (const Detection& object : found.objects) response.hits.push_back({object.score, i, object.box});
  }
  std::sort(response.scores.rbegin(), response.scores.rend());
  std::stable_sort(response.hits.begin(), response.hits.end(),
                   [](const Hit& a, const Hit& b) { return a.score > b.score; });
  response.passing = static_cast<std::size_t>(std::count_if(
      response.hits.begin(), response.hits.end(), [&](const Hit& h) { return h.score >= rule.min_score; }));
  return response;
}

std::string survivor_plot(const ModelResponse& response, const char* unit) {
  Plot plot;
  plot.title = std::string("What is left after each ") + unit;
  const auto stages = std::max(response.positives_left.size(), response.windows_left.size());
  plot.x = {unit, 0, std::max<double>(1, static_cast<double>(stages) - 2)};
  double least = 1;
  const auto series = [&](const char* name, const std::vector<std::int64_t>& left) {
    PlotSeries line{name, {}, true};
    for (std::size_t i = 1; i < left.size(); ++i) {
      if (left[i] <= 0) break;
      const double fraction = static_cast<double>(left[i]) / static_cast<double>(left[1]);
      least = std::min(least, fraction);
      line.points.push_back({static_cast<double>(i - 1), fraction});
    }
    plot.series.push_back(std::move(line));
  };
  series("positives", response.positives_left);
  series("windows of negatives", response.windows_left);
  plot.y = {"part that is left", std::pow(10, std::floor(std::log10(least))), 1, true};
  if (plot.y.low >= 1) plot.y.low = 0.1;
  return svg_plot(plot);
}

std::string curve_plot(const ModelResponse& response, std::size_t positives) {
  const std::vector<PlotPoint> points = curve_of(response, positives);
  if (points.empty()) return "<p>No window of the negatives passes: there is no curve to draw.</p>";
  Plot plot;
  plot.title = "Hit rate over false positives";
  plot.x = {"false positives per window", std::pow(10, std::floor(std::log10(points.front().x))),
            std::pow(10, std::ceil(std::log10(points.back().x))), true};
  if (plot.x.low >= plot.x.high) plot.x.high = plot.x.low * 10;
  plot.y = {"part of the positives", 0, 1};
  plot.series.push_back({"samples of the training", points, true});
  return svg_plot(plot);
}

GrayImage enlarged(GrayView picture, int zoom) {
  GrayImage large(picture.width * zoom, picture.height * zoom);
  for (int y = 0; y < large.height(); ++y) {
    for (int x = 0; x < large.width(); ++x) large.row(y)[x] = picture.row(y / zoom)[x / zoom];
  }
  return large;
}

std::string picture_tag(GrayView picture, int zoom, const std::string& words) {
  return fmt::format(
      "<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\"><figcaption>{}</figcaption></figure>\n",
      xml_text(words), base64(encode_png(enlarged(picture, zoom).view())), xml_text(words));
}

std::string picture_tag(const RgbImage& picture, const std::string& words) {
  return fmt::format("<p><img alt=\"{}\" src=\"data:image/png;base64,{}\" style=\"max-width:100%\"></p>\n",
                     xml_text(words), base64(encode_png(picture.view())));
}

std::string hardest_section(const Pack& pack, const ModelResponse& response) {
  std::string section = fmt::format(
      "<h2>Rejected positives</h2>\n<p>{} of {} positives are rejected{}.</p>\n<div class=\"thumbs\">\n",
      response.rejected.size(), pack.positive_count(),
      response.rejected.size() > kMostShown ? fmt::format("; {} of them are shown, evenly chosen", kMostShown)
                                            : "");
  for (std::size_t k = 0; k < std::min(kMostShown, response.rejected.size()); ++k) {
    const std::size_t i =
        response.rejected[k * response.rejected.size() / std::min(kMostShown, response.rejected.size())];
    const int zoom = std::clamp(160 / pack.window.width, 1, 4);
    section += picture_tag(pack.positive(i), zoom, short_name(pack.names[i]));
  }
  section += fmt::format(
      "</div>\n<h2>Hardest negatives</h2>\n<p>{} of {} pass.{}</p>\n<div class=\"thumbs\">\n",
      count_text(static_cast<std::int64_t>(response.passing), "window"),
      count_text(static_cast<std::int64_t>(response.pictures), "picture"),
      response.hits.empty() ? "" : " The windows with the highest scores, whether they pass or not:");
  for (std::size_t k = 0; k < std::min(kMostShown, response.hits.size()); ++k) {
    const Hit& hit = response.hits[k];
    const Picture picture = decode_picture(pack.negatives[hit.picture].file);
    const GrayView crop = picture.gray.view().crop(hit.box);
    if (crop.empty()) continue;
    const int zoom = std::max(1, 96 / std::max(crop.width, 1));
    section += picture_tag(
        crop, zoom, fmt::format("score {:.2f}, {}", hit.score, short_name(pack.negatives[hit.picture].name)));
  }
  return section + "</div>\n";
}

std::string stage_rows(const char* unit, const std::vector<TrainedStage>& stages) {
  std::string rows =
      fmt::format("<div class=\"wide\"><table><thead><tr><th>{}</th>", unit) +
      "<th>weak</th><th>hit rate</th><th>false "
      "alarms</th>"
      "<th>positives</th><th>negatives</th><th>kept</th><th>windows searched</th><th>mining, s</th>"
      "<th>boosting, s</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const TrainedStage& s = stages[i];
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.4f}</td><td>{:.4f}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{:.1f}</td><td>{:.1f}</td></tr>\n",
        i + 1, s.weak, s.hit, s.false_alarm, s.positives, s.negatives, s.carried_over, s.mined_windows,
        s.mining_seconds, s.boosting_seconds);
  }
  return rows + "</tbody></table></div>\n";
}

}  // namespace winnow
