// Draws the weights of a HOG SVM as strokes, as winnow/draw_model.h declares; its opening comment holds here.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <winnow/draw_model.h>

#include "page/strokes.h"

namespace winnow {
namespace {

constexpr int kMargin = 16, kGap = 24, kTitleHeight = 40, kCaptionHeight = 26, kLeastPanel = 320;
constexpr int kGlyph = 32, kLongestSide = 2048;

// The weights of a window, added up over its blocks. A place is a point where a cell may begin. The map has
// one sum for each place and each bin.
struct WeightMap {
  Size step, count;         // distance of places in pixels; columns and rows of places
  Size cell;                // the model's cell, in pixels
  std::vector<float> sums;  // [place][bin]
  int bins = 0;

  float at(int x, int y, int bin) const {
    return sums[(static_cast<std::size_t>(y) * static_cast<std::size_t>(count.width) +
                 static_cast<std::size_t>(x)) *
                    static_cast<std::size_t>(bins) +
                static_cast<std::size_t>(bin)];
  }
};

WeightMap add_up(const HogSvmModel& model) {
  const HogShape& shape = model.shape;
  WeightMap map;
  map.cell = shape.cell;
  map.bins = shape.bins;
  map.step = {std::gcd(shape.block_stride.width, shape.cell.width),
              std::gcd(shape.block_stride.height, shape.cell.height)};
  map.count = {(shape.window.width - shape.cell.width) / map.step.width + 1,
               (shape.window.height - shape.cell.height) / map.step.height + 1};
  map.sums.resize(static_cast<std::size_t>(map.count.width) * static_cast<std::size_t>(map.count.height) *
                  static_cast<std::size_t>(map.bins));
  const Size blocks = shape.blocks(), cells = shape.cells();
  const float* weight = model.weights.data();
  for (int i = 0; i < blocks.width; ++i) {
    for (int j = 0; j < blocks.height; ++j) {
      for (int c = 0; c < cells.width; ++c) {
        for (int r = 0; r < cells.height; ++r) {
          const int x = (i * shape.block_stride.width + c * shape.cell.width) / map.step.width;
          const int y = (j * shape.block_stride.height + r * shape.cell.height) / map.step.height;
          float* sums = map.sums.data() + (static_cast<std::ptrdiff_t>(y) * map.count.width + x) * map.bins;
          for (int bin = 0; bin < map.bins; ++bin) sums[bin] += *weight++;
        }
      }
    }
  }
  return map;
}

// Sums of this absolute value or more are drawn at full brightness. One sum in 200 is larger.
float full_brightness(const WeightMap& map) {
  std::vector<float> sizes;
  for (const float sum : map.sums) sizes.push_back(std::abs(sum));
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) * 995 / 1000);
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at > 0 ? *at : *std::max_element(sizes.begin(), sizes.end());
}

// A stroke for each bin, at right angles to the gradients of the bin.
std::vector<Stroke> strokes_of(const HogShape& shape, double width, double height) {
  std::vector<Stroke> strokes;
  const double period = shape.directed ? 2 * std::numbers::pi : std::numbers::pi;
  for (int bin = 0; bin < shape.bins; ++bin) {
    const double gradient = (bin + 0.5) * period / shape.bins;
    const double x = -std::sin(gradient) * width * 0.46, y = std::cos(gradient) * height * 0.46;
    strokes.push_back({shape.directed ? 0 : -x, shape.directed ? 0 : -y, x, y});
  }
  return strokes;
}

// A `sign` of 1 draws sums above 0, and a `sign` of -1 draws sums below 0.
void draw_panel(ImageView<Rgb> panel, const WeightMap& map, const HogShape& shape, double zoom, float full,
                float sign, Rgb color) {
  for (int y = 0; y < panel.height; ++y) std::fill_n(panel.row(y), panel.width, kNight);
  const double width = map.step.width * zoom, height = map.step.height * zoom;
  const std::vector<Stroke> strokes = strokes_of(shape, width, height);
  const double thick = std::max(std::min(width, height) / 24, 0.5);  // half of a stroke's width
  for (int row = 0; row < map.count.height; ++row) {
    for (int column = 0; column < map.count.width; ++column) {
      const double middle_x = (column * map.step.width + map.cell.width * 0.5) * zoom;
      const double middle_y = (row * map.step.height + map.cell.height * 0.5) * zoom;
      const int left = std::max(static_cast<int>(middle_x - width / 2), 0);
      const int right = std::min(static_cast<int>(middle_x + width / 2 + 1), panel.width);
      const int top = std::max(static_cast<int>(middle_y - height / 2), 0);
      const int bottom = std::min(static_cast<int>(middle_y + height / 2 + 1), panel.height);
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
          double light = 0;
          for (int bin = 0; bin < map.bins; ++bin) {
            const float sum = map.at(column, row, bin) * sign;
            if (!(sum > 0)) continue;
            const double apart =
                strokes[static_cast<std::size_t>(bin)].distance(x + 0.5 - middle_x, y + 0.5 - middle_y);
            const double cover = std::clamp(thick + 0.5 - apart, 0.0, 1.0);
            light = std::max(light, cover * std::min(static_cast<double>(sum / full), 1.0));
          }
          if (light == 0) continue;
          Rgb& pixel = panel.row(y)[x];
          const Rgb lit = mixed(kNight, color, light);
          pixel = {std::max(pixel.r, lit.r), std::max(pixel.g, lit.g), std::max(pixel.b, lit.b)};
        }
      }
    }
  }
}

}  // namespace

RgbImage draw_weights(const HogSvmModel& model, const std::string& title) {
  const HogShape& shape = model.shape;
  const WeightMap map = add_up(model);
  const double zoom =
      std::min(static_cast<double>(kGlyph) / std::min(map.step.width, map.step.height),
               static_cast<double>(kLongestSide) / std::max(shape.window.width, shape.window.height));
  const int width = std::max(1, static_cast<int>(std::lround(shape.window.width * zoom)));
  const int height = std::max(1, static_cast<int>(std::lround(shape.window.height * zoom)));
  const int place = std::max(width, kLeastPanel);
  RgbImage image(2 * kMargin + 2 * place + kGap, 2 * kMargin + kTitleHeight + kCaptionHeight + height);
  const ImageView<Rgb> paper = image.view();
  for (int y = 0; y < paper.height; ++y) std::fill_n(paper.row(y), paper.width, kPaper);
  draw_text(paper, kMargin, kMargin, title, kInk, 2);
  const float full = full_brightness(map);
  const int top = kMargin + kTitleHeight;
  for (const bool raises : {true, false}) {
    const int left = kMargin + (raises ? 0 : place + kGap);
    draw_text(paper, left, top, raises ? "edges that raise the score" : "edges that lower the score", kPale,
              2);
    ImageView<Rgb> panel = paper.crop({left, top + kCaptionHeight, width, height});
    draw_panel(panel, map, shape, zoom, full, raises ? 1.f : -1.f, raises ? kFor : kAgainst);
  }
  return image;
}

}  // namespace winnow
