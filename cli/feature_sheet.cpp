#include "feature_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace winnow::cli {
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

// Whether the point (in window pixels) is inside; see HaarRect for what a tilted box is.
bool contains(const Box& box, bool tilted, double x, double y) {
  const double dx = x - box.x, dy = y - box.y;
  if (!tilted) return dx >= 0 && dy >= 0 && dx < box.width && dy < box.height;
  const double right = (dx + dy) / 2, left = (dy - dx) / 2;
  return right >= 0 && left >= 0 && right < box.width && left < box.height;
}

Rgb haar_color(const HaarFeature& feature, double x, double y) {
  double weight = 0;
  for (const HaarRect& rect : feature.rects) {
    if (rect.weight != 0 && contains(rect.box, feature.tilted, x, y))
      weight += static_cast<double>(rect.weight);
  }
  if (weight == 0) return kWindow;
  return weight > 0 ? kPositive : kNegative;
}

Rgb lbp_color(const LbpFeature& feature, double x, double y, double pixel) {
  const Box& cell = feature.cell;
  const Box whole{cell.x, cell.y, 3 * cell.width, 3 * cell.height};
  if (!contains(whole, false, x, y)) return kWindow;
  const double dx = x - cell.x, dy = y - cell.y;
  // A line one pixel of the sheet wide along the edges of the cells.
  const bool line = std::fmod(dx, cell.width) < pixel || std::fmod(dy, cell.height) < pixel ||
                    dx + pixel >= whole.width || dy + pixel >= whole.height;
  if (line) return kGrid;
  const bool centre =
      contains({cell.x + cell.width, cell.y + cell.height, cell.width, cell.height}, false, x, y);
  return centre ? kCentre : kCell;
}

void draw_tile(ImageView<Rgb> tile, const CascadeModel& model, std::int32_t feature, double zoom) {
  const auto index = static_cast<std::size_t>(feature), haar = model.haar.size();
  for (int j = 0; j < tile.height; ++j) {
    Rgb* row = tile.row(j);
    const double y = (j + 0.5) / zoom;
    for (int i = 0; i < tile.width; ++i) {
      const double x = (i + 0.5) / zoom;
      row[i] = index < haar ? haar_color(model.haar[index], x, y)
                            : lbp_color(model.lbp[index - haar], x, y, 1 / zoom);
    }
  }
}

}  // namespace

FeatureSheet draw_features(const CascadeModel& model, const ModelSummary& summary, const std::string& title) {
  const Layout layout = lay_out(model.window);
  const int width = 2 * kMargin + kLabelWidth + layout.columns * (layout.tile_width + kGap);
  const std::int64_t most_rows = std::max<std::int64_t>(kMostPixels / width / layout.row_height, 1);
  FeatureSheet sheet;
  sheet.stages = std::min(summary.stages.size(), static_cast<std::size_t>(most_rows));
  const int rows = static_cast<int>(sheet.stages);
  sheet.image = RgbImage(width, 2 * kMargin + kTitleHeight + rows * layout.row_height);
  const ImageView<Rgb> paper = sheet.image.view();
  for (int y = 0; y < paper.height; ++y) std::fill_n(paper.row(y), paper.width, kPaper);
  draw_text(paper, kMargin, kMargin, title, kInk, 2);

  for (int row = 0; row < rows; ++row) {
    const StageSummary& stage = summary.stages[static_cast<std::size_t>(row)];
    const int y = kMargin + kTitleHeight + row * layout.row_height;
    draw_text(paper, kMargin, y + 2, fmt::format("{}", row), kInk, 3);
    const int shown = std::min(layout.columns, static_cast<int>(stage.features.size()));
    draw_text(paper, kMargin, y + 32, fmt::format("{} of {}", shown, stage.features.size()), kPale, 2);
    for (int column = 0; column < shown; ++column) {
      const int x = kMargin + kLabelWidth + column * (layout.tile_width + kGap);
      const Box box{x, y, layout.tile_width, layout.tile_height};
      ImageView<Rgb> tile = paper.crop(box);
      draw_tile(tile, model, stage.features[static_cast<std::size_t>(column)], layout.zoom);
      // White rectangles at the edge must not run into the paper.
      draw_box(paper, {box.x - 1, box.y - 1, box.width + 2, box.height + 2}, kPale, 1);
    }
  }
  return sheet;
}

}  // namespace winnow::cli
