// Draws the mean shape of landmarks and the pixels that stages read, as winnow/draw_model.h declares; its
// opening comment holds here.
#include <winnow/draw_model.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "page/face_contours.h"

namespace winnow {
namespace {

constexpr int kTile = 260, kGap = 12, kTitle = 34, kCaption = 22;
constexpr int kMostStages = 5;
constexpr Rgb kGround{24, 26, 30}, kTileGround{44, 47, 53}, kText{225, 225, 225}, kPale{120, 126, 136},
    kLine{60, 220, 110};

// Maps coordinates of the mean shape, which are 0 to 1 in a face's box, to pixels of a tile. The mean shape
// and all pixels that the trees read fit the tile.
class Frame {
 public:
  explicit Frame(const LandmarkModel& model) {
    for (const ShapePoint& point : model.mean) add(point.x, point.y);
    for (const ShapePixel& pixel : model.trees.pixel_list) {
      const ShapePoint& point = model.mean[pixel.point];
      add(point.x + pixel.offset.x, point.y + pixel.offset.y);
    }
    const double side = std::max({right_ - left_, bottom_ - top_, 1e-6});
    scale_ = (kTile - 20) / side;
    left_ -= (side - (right_ - left_)) / 2;
    top_ -= (side - (bottom_ - top_)) / 2;
  }
  Point place(double x, double y, Point corner) const {
    return {corner.x + 10 + (x - left_) * scale_, corner.y + 10 + (y - top_) * scale_};
  }

 private:
  void add(double x, double y) {
    left_ = std::min(left_, x);
    right_ = std::max(right_, x);
    top_ = std::min(top_, y);
    bottom_ = std::max(bottom_, y);
  }
  double left_ = 0, right_ = 1, top_ = 0, bottom_ = 1, scale_ = 1;
};

void fill_tile(ImageView<Rgb> image, int x, int y) {
  for (int row = y; row < y + kTile; ++row)
    std::fill(image.row(row) + x, image.row(row) + x + kTile, kTileGround);
}

void draw_mean(ImageView<Rgb> image, const LandmarkModel& model, const Frame& frame, Point corner, Rgb color,
               int thickness) {
  const auto place = [&](std::size_t i) { return frame.place(model.mean[i].x, model.mean[i].y, corner); };
  std::vector<Point> points;
  for (const ShapePoint& point : model.mean)
    points.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
  for (const auto& [from, to] : shape_lines(points))
    draw_line(image, place(from), place(to), color, from == to ? 3 * thickness : thickness);
}

void draw_pixels(ImageView<Rgb> image, const LandmarkModel& model, int stage, const Frame& frame,
                 Point corner) {
  const ShapeTrees& trees = model.trees;
  std::vector<int> uses(static_cast<std::size_t>(trees.pixels));
  const std::size_t splits = static_cast<std::size_t>(trees.trees) * trees.splits_per_tree();
  for (std::size_t i = 0; i < splits; ++i) {
    const ShapeSplit& split = trees.splits[static_cast<std::size_t>(stage) * splits + i];
    ++uses[split.first];
    ++uses[split.second];
  }
  const int most = std::max(1, *std::max_element(uses.begin(), uses.end()));
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == 0) continue;
    const ShapePixel& pixel = trees.pixel_list[static_cast<std::size_t>(stage) * uses.size() + i];
    const ShapePoint& point = model.mean[pixel.point];
    const double share = std::sqrt(static_cast<double>(uses[i]) / most);
    const auto bright = static_cast<std::uint8_t>(80 + 175 * share);
    draw_line(image, frame.place(point.x + pixel.offset.x, point.y + pixel.offset.y, corner),
              frame.place(point.x + pixel.offset.x, point.y + pixel.offset.y, corner),
              {bright, static_cast<std::uint8_t>(bright * 3 / 4), 40}, 2 + static_cast<int>(5 * share));
  }
}

}  // namespace

RgbImage draw_landmarks(const LandmarkModel& model, const std::string& title) {
  const int shown = std::min(kMostStages, static_cast<int>(model.trees.stages)), tiles = 1 + shown;
  const int columns = std::min(3, tiles), rows = (tiles + columns - 1) / columns;
  RgbImage image(kGap + columns * (kTile + kGap), kTitle + rows * (kTile + kCaption + kGap));
  const ImageView<Rgb> view = image.view();
  for (int y = 0; y < view.height; ++y) std::fill(view.row(y), view.row(y) + view.width, kGround);
  draw_text(view, kGap, 10, title, kText, 2);
  const Frame frame(model);
  for (int tile = 0; tile < tiles; ++tile) {
    const int x = kGap + tile % columns * (kTile + kGap),
              y = kTitle + tile / columns * (kTile + kCaption + kGap);
    fill_tile(view, x, y);
    const Point corner{static_cast<double>(x), static_cast<double>(y)};
    if (tile == 0) {
      draw_mean(view, model, frame, corner, kLine, 2);
      draw_text(view, x, y + kTile + 6, "mean shape, " + std::to_string(model.mean.size()) + " points", kText,
                1);
      continue;
    }
    // Spreads the stages that are drawn evenly from the first stage to the last.
    const int stage = shown == 1 ? 0 : (tile - 1) * (model.trees.stages - 1) / (shown - 1);
    draw_mean(view, model, frame, corner, kPale, 1);
    draw_pixels(view, model, stage, frame, corner);
    draw_text(view, x, y + kTile + 6, "stage " + std::to_string(stage) + ": pixels that splits read", kText,
              1);
  }
  return image;
}

}  // namespace winnow
