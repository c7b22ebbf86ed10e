// Makes the page at the end of a training: the samples left after each stage, the first features, the hardest
// samples. The opening comment of winnow/train.h, which declares `training_page`, holds here.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <winnow/train.h>

#include "page/feature_area.h"
#include "page/html.h"
#include "train/mean_positive.h"
#include "train/options.h"
#include "train/page_sections.h"

namespace winnow {
namespace {

constexpr std::size_t kMostFeatures = 12;

// Draws a feature over the mean positive. Added rectangles are white, subtracted ones black. The cells of an
// LBP feature alternate between white and black.
GrayImage draw_feature(const CascadeModel& model, const GrayImage& mean, std::int32_t feature) {
  constexpr int kZoom = 4;
  GrayImage sheet = enlarged(mean.view(), kZoom);
  paint_feature(sheet.view(), model, feature, kZoom, 0, [](std::uint8_t& pixel, FeatureArea area) {
    if (area == FeatureArea::kOutside) return;
    const bool black = area == FeatureArea::kTakenAway || area == FeatureArea::kSideCell;
    pixel = static_cast<std::uint8_t>((pixel + 2 * (black ? 0 : 255)) / 3);
  });
  return sheet;
}

std::int32_t first_feature(const CascadeModel& model, std::int32_t weak) {
  if (model.is_table(weak)) return model.tables[static_cast<std::size_t>(weak)].feature;
  const TreeNode& root = model.nodes[static_cast<std::size_t>(model.tree_of(weak).first_node)];
  return model.feature_number(root);
}

std::string features_section(const Pack& pack, const CascadeModel& model) {
  const GrayImage mean = mean_positive(pack, pack.window);
  std::string section = "<div class=\"thumbs\">\n" + picture_tag(mean.view(), 4, "mean positive");
  std::size_t shown = 0;
  for (std::size_t s = 0; s < model.stages.size() && shown < kMostFeatures; ++s) {
    const Stage& stage = model.stages[s];
    for (int t = 0; t < stage.tree_count && shown < kMostFeatures; ++t, ++shown) {
      const std::int32_t feature = first_feature(model, stage.first_tree + t);
      section += picture_tag(draw_feature(model, mean, feature).view(), 1,
                             fmt::format("stage {}, weak {}", s + 1, t + 1));
    }
  }
  return section + "</div>\n";
}

}  // namespace

std::string training_page(const Pack& pack, const CascadeOptions& options, const RunOptions& run,
                          const TrainResult& result) {
  check_samples(pack);
  const CascadeModel& model = result.cascade.model();
  // No least score: each window that passes all stages counts.
  constexpr double kAny = std::numeric_limits<double>::lowest();
  const ModelResponse response = measure_response(pack, measure_positives(pack, result.cascade, run.machine),
                                                  result.cascade, {kAny, kAny}, run.machine);
  const std::size_t weak = model.weak_count();
  std::string page = page_head(
      "Training of " + (model.card.name.empty() ? std::string("a cascade") : xml_text(model.card.name)));
  page += fmt::format(
      "<p>{} features, window {}x{}, {} boosting: {} stages, {} weak classifiers in {:.1f} s ({} backend), "
      "from {} "
      "positives and {} pictures without the object.</p>\n",
      feature_set_name(options.features), model.window.width, model.window.height,
      boost_kind_name(options.boost), model.stages.size(), weak, result.seconds, result.backend,
      pack.positive_count(), pack.negatives.size());
  if (!result.ended_early.empty()) page += "<p>It ended early: " + xml_text(result.ended_early) + ".</p>\n";
  page += fmt::format(
      "<p>All of this is measured on the samples of the training itself ({} of its pictures): it shows what "
      "the "
      "cascade has learned, not how well it finds what it has never seen. <code>winnow eval detector</code> "
      "tells "
      "that.</p>\n",
      response.pictures);
  page += "<div class=\"plots\">\n<figure>" + survivor_plot(response, "stage") + "</figure>\n<figure>" +
          curve_plot(response, pack.positive_count()) + "</figure>\n</div>\n";
  page += "<h2>Stages</h2>\n" + stage_rows("stage", result.stages);
  page += "<h2>First features, on the mean positive</h2>\n<p>" +
          std::string(model.kind == FeatureKind::kHaar
                          ? "White counts for the feature, black against it."
                          : "The grid of 3 x 3 cells; each outer one is compared with the middle.") +
          "</p>\n" + features_section(pack, model);
  page += hardest_section(pack, response);
  return page + page_end();
}

}  // namespace winnow
