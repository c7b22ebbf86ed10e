#include "faces/scaled_search.h"

#include <winnow/error.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bench {
namespace {

using winnow::Box;
using winnow::CascadeModel;

// Sums of pixels and of their squares over any rectangle of a picture.
class Sums {
 public:
  explicit Sums(winnow::GrayView picture) : columns_(static_cast<std::size_t>(picture.width) + 1) {
    const std::size_t all = columns_ * (static_cast<std::size_t>(picture.height) + 1);
    plain_.assign(all, 0);
    squares_.assign(all, 0);
    for (int y = 0; y < picture.height; ++y) {
      std::int64_t plain = 0, square = 0;
      for (int x = 0; x < picture.width; ++x) {
        const std::int64_t pixel = picture.row(y)[x];
        plain += pixel;
        square += pixel * pixel;
        plain_[at(x + 1, y + 1)] = plain_[at(x + 1, y)] + plain;
        squares_[at(x + 1, y + 1)] = squares_[at(x + 1, y)] + square;
      }
    }
  }

  double plain(const Box& box) const { return sum(plain_, box); }
  double squares(const Box& box) const { return sum(squares_, box); }

 private:
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * columns_ + static_cast<std::size_t>(x);
  }
  double sum(const std::vector<std::int64_t>& sums, const Box& box) const {
    const int right = box.x + box.width, bottom = box.y + box.height;
    return static_cast<double>(sums[at(right, bottom)] - sums[at(box.x, bottom)] - sums[at(right, box.y)] +
                               sums[at(box.x, box.y)]);
  }

  std::size_t columns_;
  std::vector<std::int64_t> plain_, squares_;
};

int rounded(double value) { return static_cast<int>(std::lrint(value)); }

double area(const Box& box) { return static_cast<double>(box.width) * box.height; }

Box moved(Box box, int x, int y) {
  box.x += x;
  box.y += y;
  return box;
}

winnow::Size scaled_window(winnow::Size window, double scale) {
  return {rounded(window.width * scale), rounded(window.height * scale)};
}

// A cascade at one size of its window.
class ScaledCascade {
 public:
  ScaledCascade(const CascadeModel& model, double scale)
      : model_(model),
        window_(scaled_window(model.window, scale)),
        inside_(scaled({1, 1, model.window.width - 2, model.window.height - 2}, scale)),
        scaled_area_(static_cast<double>(model.window.width - 2) * (model.window.height - 2) * scale *
                     scale) {
    for (const winnow::HaarFeature& feature : model.haar) {
      std::vector<Rect>& rects = features_.emplace_back();
      for (const winnow::HaarRect& rect : feature.rects) {
        if (rect.weight == 0) continue;
        const Box box = scaled(rect.box, scale);
        rects.push_back({box, rect.weight * area(rect.box) * scale * scale / area(box)});
      }
    }
  }

  winnow::Size window() const { return window_; }

  // Whether the window at this corner passes all stages.
  bool passes(const Sums& sums, int x, int y) const {
    const Box inside = moved(inside_, x, y);
    const double mean = sums.plain(inside) / area(inside);
    const double variance = sums.squares(inside) / area(inside) - mean * mean;
    if (!(variance > 0)) return false;
    const double unit = std::sqrt(variance) * scaled_area_;
    return std::all_of(model_.stages.begin(), model_.stages.end(), [&](const winnow::Stage& stage) {
      double sum = 0;
      for (int i = 0; i < stage.tree_count; ++i) sum += leaf(stage.first_tree + i, sums, x, y, unit);
      return sum >= stage.threshold - model_.rules.threshold_slack;
    });
  }

 private:
  struct Rect {
    Box box;
    double weight;
  };

  // Rounds the corner and both sides. A side that rounding moves over the window's edge ends at the edge.
  Box scaled(const Box& box, double scale) const {
    Box found{rounded(box.x * scale), rounded(box.y * scale), rounded(box.width * scale),
              rounded(box.height * scale)};
    found.width = std::min(found.width, window_.width - found.x);
    found.height = std::min(found.height, window_.height - found.y);
    return found;
  }

  double leaf(int number, const Sums& sums, int x, int y, double unit) const {
    const winnow::Tree& tree = model_.trees[static_cast<std::size_t>(number)];
    int next = 0;
    do {
      const winnow::TreeNode& node = model_.nodes[static_cast<std::size_t>(tree.first_node + next)];
      double value = 0;
      for (const Rect& rect : features_[static_cast<std::size_t>(node.feature)])
        value += rect.weight * sums.plain(moved(rect.box, x, y));
      next = value < node.threshold * unit ? node.left : node.right;
    } while (next > 0);
    return model_.leaves[static_cast<std::size_t>(tree.first_leaf - next)];
  }

  const CascadeModel& model_;
  winnow::Size window_;
  Box inside_;
  double scaled_area_;
  std::vector<std::vector<Rect>> features_;
};

void check(const CascadeModel& model, const ScaledSearch& search) {
  using winnow::Error;
  using winnow::ErrorCode;
  if (model.kind != winnow::FeatureKind::kHaar || model.tilted() || model.fixed_point())
    throw Error(ErrorCode::kUsage, "features can only be scaled in a cascade of upright Haar features");
  if (!(search.scale_factor > 1) || search.step < 1)
    throw Error(ErrorCode::kUsage, "the scale factor must be above 1, and the step 1 or more");
}

}  // namespace

std::vector<Box> scaled_search(winnow::GrayView picture, const CascadeModel& model,
                               const ScaledSearch& search) {
  check(model, search);
  std::vector<Box> found;
  if (picture.empty()) return found;
  const Sums sums(picture);
  for (double scale = 1;; scale *= search.scale_factor) {
    const ScaledCascade cascade(model, scale);
    const winnow::Size window = cascade.window();
    if (window.width > picture.width || window.height > picture.height) return found;
    for (int y = 0; y + window.height <= picture.height; y += search.step)
      for (int x = 0; x + window.width <= picture.width; x += search.step)
        if (cascade.passes(sums, x, y)) found.push_back({x, y, window.width, window.height});
  }
}

std::int64_t scaled_windows(winnow::Size picture, winnow::Size window, const ScaledSearch& search) {
  std::int64_t windows = 0;
  for (double scale = 1;; scale *= search.scale_factor) {
    const winnow::Size size = scaled_window(window, scale);
    if (size.width > picture.width || size.height > picture.height) return windows;
    windows += std::int64_t{(picture.width - size.width) / search.step + 1} *
               ((picture.height - size.height) / search.step + 1);
  }
}

winnow::GrayImage half_of(winnow::GrayView picture) {
  winnow::GrayImage half(picture.width / 2, picture.height / 2);
  for (int y = 0; y < half.height(); ++y) {
    const std::uint8_t *top = picture.row(2 * y), *bottom = picture.row(2 * y + 1);
    for (int x = 0; x < half.width(); ++x)
      half.row(y)[x] = static_cast<std::uint8_t>(
          (top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1] + 2) / 4);
  }
  return half;
}

}  // namespace bench
