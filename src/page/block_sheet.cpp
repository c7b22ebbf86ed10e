// Draws the blocks of a cascade of HOG blocks, as winnow/draw_model.h declares; its opening comment holds
// here.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <winnow/draw_model.h>

#include "page/strokes.h"

namespace winnow {
namespace {

constexpr int kMargin = 16, kGap = 20, kTitleHeight = 40, kCaptionHeight = 24, kLeastTile = 96;
constexpr int kColumns = 6, kRows = 2;
constexpr double kTileSide = 320, kMostZoom = 10;
constexpr Rgb kFrame{255, 255, 255}, kHot{255, 96, 20};
constexpr double kHeatCover = 0.8;

// The standard deviation of the scores in a stage's table, if responses are distributed normally. The table
// covers 2.5 standard deviations of the responses on each side of their mean.
double spread_of(const HogBlockStage& stage) {
  double all = 0, sum = 0, squares = 0;
  for (int bin = 0; bin < kHogTableBins; ++bin) {
    const double off = (bin + 0.5 - kHogTableBins / 2.0) / (kHogTableBins / 2.0) * 2.5;
    const double weight = std::exp(-off * off / 2), score = stage.table[static_cast<std::size_t>(bin)];
    all += weight, sum += weight * score, squares += weight * score * score;
  }
  return std::sqrt(std::max(squares / all - sum / all * (sum / all), 0.0));
}

// The heat of each square of the grid, from 0 to 1, says how much scores depend on it. A block's heat is the
// standard deviation of its scores. The block's four cells share its heat in proportion to their sums of
// squared weights, and each cell spreads its share evenly.
std::vector<double> heat_of(const HogCascadeModel& model) {
  const int columns = model.window.width / model.grid, rows = model.window.height / model.grid;
  std::vector<double> heat(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
  for (const HogBlockStage& stage : model.stages) {
    std::array<double, 4> cells{};
    for (std::size_t k = 0; k < kHogBlockValues; ++k)
      cells[k / kHogBlockBins] += static_cast<double>(stage.weights[k]) * stage.weights[k];
    const double all = cells[0] + cells[1] + cells[2] + cells[3];
    if (all == 0) continue;
    const HogBlock& block = stage.block;
    const double area = block.cell_width * block.cell_height, spread = spread_of(stage);
    for (int y = 0; y < 2 * block.cell_height; ++y) {
      for (int x = 0; x < 2 * block.cell_width; ++x) {
        const auto cell = static_cast<std::size_t>(y / block.cell_height * 2 + x / block.cell_width);
        heat[static_cast<std::size_t>((block.y + y) * columns + block.x + x)] +=
            spread * cells[cell] / all / area;
      }
    }
  }
  const double most = *std::max_element(heat.begin(), heat.end());
  for (double& square : heat) square = most > 0 ? square / most : 0;
  return heat;
}

// Draws the model's mean positive sample, enlarged. Its darkest pixel becomes black, and its brightest pixel
// `light` times white. Draws a plain ground if the model has no mean positive.
void draw_ground(ImageView<Rgb> tile, const HogCascadeModel& model, double zoom, double light) {
  const auto at = [&](int pixel, int side) { return std::min(static_cast<int>(pixel / zoom), side - 1); };
  if (model.mean.empty()) {
    for (int y = 0; y < tile.height; ++y) std::fill_n(tile.row(y), tile.width, kNight);
    return;
  }
  const auto [least, most] = std::minmax_element(model.mean.begin(), model.mean.end());
  const double dark = *most > *least ? *least : 0, bright = *most > *least ? 255.0 / (*most - *least) : 1;
  for (int y = 0; y < tile.height; ++y) {
    for (int x = 0; x < tile.width; ++x) {
      const auto place = static_cast<std::size_t>(at(y, model.window.height)) *
                             static_cast<std::size_t>(model.window.width) +
                         static_cast<std::size_t>(at(x, model.window.width));
      const auto gray = static_cast<std::uint8_t>(std::lround((model.mean[place] - dark) * bright * light));
      tile.row(y)[x] = {gray, gray, gray};
    }
  }
}

void draw_heat(ImageView<Rgb> tile, const HogCascadeModel& model, double zoom) {
  const std::vector<double> heat = heat_of(model);
  const int columns = model.window.width / model.grid;
  const double side = model.grid * zoom;
  const int rows = static_cast<int>(heat.size()) / columns;
  // Heat is interpolated between the middles of squares.
  const auto near = [side](int pixel, int count) {
    const double at = std::clamp((pixel + 0.5) / side - 0.5, 0.0, count - 1.0);
    const int low = std::min(static_cast<int>(at), std::max(count - 2, 0));
    return std::pair{low, at - low};
  };
  const auto square = [&](int x, int y) {
    return heat[static_cast<std::size_t>(std::min(y, rows - 1) * columns + std::min(x, columns - 1))];
  };
  for (int y = 0; y < tile.height; ++y) {
    const auto [top, down] = near(y, rows);
    for (int x = 0; x < tile.width; ++x) {
      const auto [left, right] = near(x, columns);
      const double upper = square(left, top) * (1 - right) + square(left + 1, top) * right;
      const double lower = square(left, top + 1) * (1 - right) + square(left + 1, top + 1) * right;
      Rgb& pixel = tile.row(y)[x];
      pixel = mixed(pixel, kHot, kHeatCover * (upper * (1 - down) + lower * down));
    }
  }
}

// A stroke along the edges whose gradients fall into the bin. The stroke is nearly as long as the cell
// allows.
Stroke stroke_of(int bin, double width, double height) {
  const double gradient = (bin + 0.5) * std::numbers::pi / kHogBlockBins;
  const double x = -std::sin(gradient), y = std::cos(gradient);
  const double length = 0.42 * std::min(width / std::max(std::abs(x), 1e-9), height / std::abs(y));
  return {-x * length, -y * length, x * length, y * length};
}

// Draws the strokes of one cell. `weights` has one weight per orientation bin. Weights above 0 are drawn, and
// weights of `full` or more have full brightness.
void draw_cell(ImageView<Rgb> tile, const Box& cell, std::span<const double> weights, double full) {
  const double thick = std::max(std::min(cell.width, cell.height) / 24.0, 0.7);  // half of a stroke's width
  const double middle_x = cell.x + cell.width / 2.0, middle_y = cell.y + cell.height / 2.0;
  for (int y = cell.y; y < std::min(cell.y + cell.height, tile.height); ++y) {
    for (int x = cell.x; x < std::min(cell.x + cell.width, tile.width); ++x) {
      double light = 0;
      for (int bin = 0; bin < kHogBlockBins; ++bin) {
        const double weight = weights[static_cast<std::size_t>(bin)];
        if (!(weight > 0)) continue;
        const double apart =
            stroke_of(bin, cell.width, cell.height).distance(x + 0.5 - middle_x, y + 0.5 - middle_y);
        light = std::max(light, std::clamp(thick + 0.5 - apart, 0.0, 1.0) * std::min(weight / full, 1.0));
      }
      Rgb& pixel = tile.row(y)[x];
      pixel = mixed(pixel, kFor, light);
    }
  }
}

void draw_block(ImageView<Rgb> tile, const HogCascadeModel& model, const HogBlockStage& stage, double zoom) {
  const HogBlock& block = stage.block;
  const auto pixels = [&](int steps) { return static_cast<int>(std::lround(steps * model.grid * zoom)); };
  // If high responses have low scores, weights below 0 raise the score.
  const double sign = stage.table.back() >= stage.table.front() ? 1 : -1;
  double full = 1;
  for (const std::int16_t weight : stage.weights) full = std::max(full, sign * weight);
  for (int c = 0; c < 4; ++c) {
    const int left = block.x + c % 2 * block.cell_width, top = block.y + c / 2 * block.cell_height;
    const Box cell{pixels(left), pixels(top), pixels(left + block.cell_width) - pixels(left),
                   pixels(top + block.cell_height) - pixels(top)};
    std::array<double, kHogBlockBins> weights;
    for (std::size_t k = 0; k < kHogBlockBins; ++k)
      weights[k] = sign * stage.weights[static_cast<std::size_t>(c) * kHogBlockBins + k];
    draw_cell(tile, cell, weights, full);
  }
  const int left = pixels(block.x), top = pixels(block.y);
  draw_box(tile,
           {left, top, pixels(block.x + 2 * block.cell_width) - left,
            pixels(block.y + 2 * block.cell_height) - top},
           kFrame, 1);
}

}  // namespace

RgbImage draw_blocks(const HogCascadeModel& model, const std::string& title) {
  const Size window = model.window;
  const double zoom = std::min(kTileSide / std::max(window.width, window.height), kMostZoom);
  const auto side = [](int pixels, double by) {
    return std::max(1, static_cast<int>(std::lround(pixels * by)));
  };
  const Size tile{side(window.width, zoom), side(window.height, zoom)};
  // The picture of all blocks is as high as both rows of tiles.
  const int high = kRows * tile.height + kGap + kCaptionHeight;
  const double large = static_cast<double>(high) / window.height;
  const int wide = side(window.width, std::min(large, 4 * zoom));
  const int place = std::max(tile.width, kLeastTile), across = std::max(wide, 3 * kLeastTile);
  const int first = kMargin + across + kGap, top = kMargin + kTitleHeight;
  RgbImage image(first + kColumns * place + (kColumns - 1) * kGap + kMargin,
                 top + kCaptionHeight + high + kMargin);
  const ImageView<Rgb> paper = image.view();
  for (int y = 0; y < paper.height; ++y) std::fill_n(paper.row(y), paper.width, kPaper);
  draw_text(paper, kMargin, kMargin, title, kInk, 2);
  draw_text(paper, kMargin, top, "all " + std::to_string(model.stages.size()) + " blocks", kPale, 2);
  const double of_all = std::min(large, 4 * zoom);
  const ImageView<Rgb> all =
      paper.crop({kMargin, top + kCaptionHeight, wide, std::min(side(window.height, of_all), high)});
  draw_ground(all, model, of_all, 0.9);
  draw_heat(all, model, of_all);
  for (int i = 0; i < std::min(kColumns * kRows, static_cast<int>(model.stages.size())); ++i) {
    const int left = first + i % kColumns * (place + kGap);
    const int above = top + i / kColumns * (kCaptionHeight + tile.height + kGap);
    draw_text(paper, left, above, "block " + std::to_string(i + 1), kPale, 2);
    const ImageView<Rgb> one = paper.crop({left, above + kCaptionHeight, tile.width, tile.height});
    draw_ground(one, model, zoom, 0.55);
    draw_block(one, model, model.stages[static_cast<std::size_t>(i)], zoom);
  }
  return image;
}

}  // namespace winnow
