// Draws the first features of each stage of a cascade, as winnow/draw_model.h declares; its opening comment
// holds here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include <winnow/draw_model.h>

#include "page/feature_area.h"

namespace winnow {
namespace {

constexpr Rgb kPaper{250, 250, 248}, kInk{40, 40, 40}, kPale{120, 120, 120};
constexpr Rgb kWindow{150, 150, 150}, kPositive{255, 255, 255}, kNegative{0, 0, 0};
constexpr Rgb kCell{90, 120, 160}, kCentre{235, 240, 250}, kGrid{30, 40, 60};
constexpr int kMargin = 16, kGap = 10, kLabelWidth = 150, kTitleHeight = 40;
constexpr int kLeastTile = 64, kLargestTile = 512, kWidth = 1200;
constexpr std::int64_t kMostPixels = std::int64_t{64} << 20;

struct Layout {
  double zoom = 1;
  int tile_width = 0, tile_height = 0, columns = 0, row_height = 0;
};

Layout lay_out(Size window) {
  Layout layout;
  const int shorter = std::max(std::min(window.width, window.height), 1);
  const int longer = std::max(std::max(window.width, window.height), 1);
  layout.zoom = static_cast<double>((kLeastTile + shorter - 1) / shorter);
  layout.zoom = std::min(layout.zoom, static_cast<double>(kLargestTile) / longer);
  if (layout.zoom > 1) layout.zoom = std::floor(layout.zoom);
  layout.tile_width = std::max(1, static_cast<int>(std::lround(window.width * layout.zoom)));
  layout.tile_height = std::max(1, static_cast<int>(std::lround(window.height * layout.zoom)));
  layout.columns = std::clamp((kWidth - kLabelWidth) / (layout.tile_width + kGap), 4, 12);
  layout.row_height = std::max(layout.tile_height, 48) + kGap;
  return layout;
}

void draw_tile(ImageView<Rgb> tile, const CascadeModel& model, std::int32_t feature, double zoom) {
  // Lines between cells are one pixel of the sheet wide.
  paint_feature(tile, model, feature, zoom, 1 / zoom, [](Rgb& pixel, FeatureArea area) {
    switch (area) {
      case FeatureArea::kOutside:
        pixel = kWindow;
        break;
      case FeatureArea::kAdded:
        pixel = kPositive;
        break;
      case FeatureArea::kTakenAway:
        pixel = kNegative;
        break;
      case FeatureArea::kCornerCell:
      case FeatureArea::kSideCell:
        pixel = kCell;
        break;
      case FeatureArea::kMiddleCell:
        pixel = kCentre;
        break;
      case FeatureArea::kLine:
        pixel = kGrid;
        break;
    }
  });
}

}  // namespace

std::vector<std::int32_t> stage_features(const CascadeModel& model, const Stage& stage) {
  std::vector<std::int32_t> features;
  std::unordered_set<std::int32_t> seen;
  const auto use = [&](std::int32_t feature) {
    if (seen.insert(feature).second) features.push_back(feature);
  };
  for (std::int32_t weak = stage.first_tree; weak < stage.first_tree + stage.tree_count; ++weak) {
    if (model.is_table(weak)) {
      use(model.tables[static_cast<std::size_t>(weak)].feature);
      continue;
    }
    const Tree& tree = model.tree_of(weak);
    for (std::int32_t n = 0; n < tree.node_count; ++n)
      use(model.feature_number(model.nodes[static_cast<std::size_t>(tree.first_node + n)]));
  }
  return features;
}

FeatureSheet draw_features(const CascadeModel& model, const std::string& title) {
  const Layout layout = lay_out(model.window);
  const int width = 2 * kMargin + kLabelWidth + layout.columns * (layout.tile_width + kGap);
  const std::int64_t most_rows = std::max<std::int64_t>(kMostPixels / width / layout.row_height, 1);
  FeatureSheet sheet;
  sheet.stages = std::min(model.stages.size(), static_cast<std::size_t>(most_rows));
  const int rows = static_cast<int>(sheet.stages);
  sheet.image = RgbImage(width, 2 * kMargin + kTitleHeight + rows * layout.row_height);
  const ImageView<Rgb> paper = sheet.image.view();
  for (int y = 0; y < paper.height; ++y) std::fill_n(paper.row(y), paper.width, kPaper);
  draw_text(paper, kMargin, kMargin, title, kInk, 2);

  for (int row = 0; row < rows; ++row) {
    const std::vector<std::int32_t> features =
        stage_features(model, model.stages[static_cast<std::size_t>(row)]);
    const int y = kMargin + kTitleHeight + row * layout.row_height;
    draw_text(paper, kMargin, y + 2, fmt::format("{}", row), kInk, 3);
    const int shown = std::min(layout.columns, static_cast<int>(features.size()));
    draw_text(paper, kMargin, y + 32, fmt::format("{} of {}", shown, features.size()), kPale, 2);
    for (int column = 0; column < shown; ++column) {
      const int x = kMargin + kLabelWidth + column * (layout.tile_width + kGap);
      const Box box{x, y, layout.tile_width, layout.tile_height};
      ImageView<Rgb> tile = paper.crop(box);
      draw_tile(tile, model, features[static_cast<std::size_t>(column)], layout.zoom);
      // A frame separates white rectangles at the edge from the paper.
      draw_box(paper, {box.x - 1, box.y - 1, box.width + 2, box.height + 2}, kPale, 1);
    }
  }
  return sheet;
}

}  // namespace winnow
