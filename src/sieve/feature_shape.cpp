#include "sieve/feature_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace winnow {
namespace {

constexpr double kExactFloat = 16777216.0;  // all integers up to this number are exact as floats

std::array<Corner, 4> rect_corners(const Box& r, bool tilted) {
  if (!tilted) {
    return {{{r.x, r.y, 1},
             {r.x + r.width, r.y, -1},
             {r.x, r.y + r.height, -1},
             {r.x + r.width, r.y + r.height, 1}}};
  }
  return {{{r.x, r.y, 1},
           {r.x - r.height, r.y + r.height, -1},
           {r.x + r.width, r.y + r.width, -1},
           {r.x + r.width - r.height, r.y + r.width + r.height, 1}}};
}

int rect_count(const HaarFeature& feature) { return feature.rects[2].weight != 0.f ? 3 : 2; }

double rect_area(const Box& r, bool tilted) {
  return static_cast<double>(r.width) * r.height * (tilted ? 2 : 1);
}

// True if all products and sums of the float evaluation are integers below 2^24. In that case any exact
// evaluation gives the same value.
bool integer_valued(const HaarFeature& feature) {
  double bound = 0;
  for (int i = 0; i < rect_count(feature); ++i) {
    const HaarRect& r = feature.rects[i];
    if (r.weight != std::floor(r.weight) || std::abs(r.weight) > 64) return false;
    bound += std::abs(r.weight) * rect_area(r.box, feature.tilted) * 255;
  }
  return bound < kExactFloat;
}

std::vector<Corner> merged_corners(const HaarFeature& feature) {
  std::map<std::pair<int, int>, int> at;  // keys are (y, x), so that loads go down the window
  for (int i = 0; i < rect_count(feature); ++i) {
    for (const Corner& c : rect_corners(feature.rects[i].box, feature.tilted)) {
      at[{c.y, c.x}] += c.weight * static_cast<int>(feature.rects[i].weight);
    }
  }
  std::vector<Corner> corners;
  for (const auto& [place, weight] : at) {
    if (weight != 0) corners.push_back({place.second, place.first, weight});
  }
  return corners;
}

bool under(const Corner& c, int x, int y, bool tilted) {
  return tilted ? y < c.y && std::abs(x - c.x + 1) <= c.y - y - 1 : x < c.x && y < c.y;
}

// A rectangle of pixels that all have the same weight in the feature's sum. `x_end` and `y_end` lie outside.
struct Cell {
  int x_first, x_end, y_first, y_end;
};

// Visits cells that cover all pixels of non-zero weight. In an upright feature, the pixels between
// neighbouring corners have one weight and form a cell. In a tilted feature, each pixel of the window is a
// cell.
template <class Visit>
void visit_cells(const std::vector<Corner>& corners, Size window, bool tilted, Visit visit) {
  std::vector<int> xs{0}, ys{0};
  if (tilted) {
    for (int x = 1; x <= window.width; ++x) xs.push_back(x);
    for (int y = 1; y <= window.height; ++y) ys.push_back(y);
  } else {
    for (const Corner& c : corners) xs.push_back(c.x), ys.push_back(c.y);
    std::sort(xs.begin(), xs.end());
    std::sort(ys.begin(), ys.end());
  }
  for (std::size_t j = 1; j < ys.size(); ++j) {
    for (std::size_t i = 1; i < xs.size(); ++i) {
      if (xs[i - 1] < xs[i] && ys[j - 1] < ys[j]) visit(Cell{xs[i - 1], xs[i], ys[j - 1], ys[j]});
    }
  }
}

// The largest absolute value of the feature over all pictures. The value occurs with 255 in every pixel of
// positive weight and 0 elsewhere, or the reverse. If `exact` is false, returns an upper bound.
double value_range(const HaarFeature& feature, const std::vector<Corner>& corners, Size window, bool exact) {
  double positive = 0, negative = 0;
  if (exact) {
    visit_cells(corners, window, feature.tilted, [&](const Cell& cell) {
      int weight = 0;
      for (const Corner& c : corners)
        weight += under(c, cell.x_first, cell.y_first, feature.tilted) ? c.weight : 0;
      const double pixels = static_cast<double>(cell.x_end - cell.x_first) * (cell.y_end - cell.y_first);
      (weight > 0 ? positive : negative) += std::abs(weight) * pixels;
    });
  } else {
    for (int i = 0; i < rect_count(feature); ++i) {
      const double all = feature.rects[i].weight * rect_area(feature.rects[i].box, feature.tilted);
      (all > 0 ? positive : negative) += std::abs(all);
    }
  }
  return 255 * std::max(positive, negative);
}

// Tries to write the corners as kEdge or kLine. Both add two and subtract two corners of weight 1. Then kEdge
// adds one and subtracts one corner of weight m; kLine adds two and subtracts two. Added corners come first.
bool two_weights(const std::vector<Corner>& corners, FeatureForm& form) {
  std::vector<Corner> by_weight[2][2];
  int factor = 0;
  for (const Corner& c : corners) {
    const int size = std::abs(c.weight);
    if (size != 1 && factor != 0 && size != factor) return false;
    if (size != 1) factor = size;
    by_weight[size != 1][c.weight < 0].push_back(c);
  }
  const auto& [ones, many] = by_weight;
  if (ones[0].size() != 2 || ones[1].size() != 2 || many[0].size() != many[1].size()) return false;
  if (many[0].size() == 1) {
    form.shape = FeatureShape::kEdge;
  } else if (many[0].size() == 2) {
    form.shape = FeatureShape::kLine;
  } else {
    return false;
  }
  form.factor = factor;
  form.corners.clear();
  for (const auto* list : {&ones[0], &ones[1], &many[0], &many[1]}) {
    form.corners.insert(form.corners.end(), list->begin(), list->end());
  }
  return true;
}

// Tries to write the corners as the outer product of (1, -2, 1) with itself, times +1 or -1.
bool checker(const std::vector<Corner>& corners, FeatureForm& form) {
  if (corners.size() != 9) return false;
  std::vector<Corner> by_size[3];
  for (const Corner& c : corners) {
    const int size = std::abs(c.weight);
    if (size != 1 && size != 2 && size != 4) return false;
    by_size[size / 2].push_back(c);
  }
  if (by_size[0].size() != 4 || by_size[1].size() != 4) return false;
  const int sign = by_size[2][0].weight > 0 ? 1 : -1;
  for (const Corner& c : corners) {
    if (c.weight != sign * (std::abs(c.weight) == 2 ? -2 : std::abs(c.weight))) return false;
  }
  form.shape = FeatureShape::kChecker;
  form.factor = sign;
  form.corners.clear();
  for (const auto& list : by_size) form.corners.insert(form.corners.end(), list.begin(), list.end());
  return true;
}

// Cuts each rectangle into pieces of at most 257 pixels, one after the other along its height. Lists the
// lines that bound the pieces, each line as a pair of corners. The sum of a piece is the difference along its
// second line less the difference along its first line. Returns false if a rectangle is empty, too wide or
// needs too many lines.
bool pieces(const HaarFeature& feature, FeatureForm& form) {
  constexpr int kMostPixels = 65535 / 255, kMostLines = 64;
  for (int i = 0; i < rect_count(feature); ++i) {
    const Box& r = feature.rects[i].box;
    const int row = feature.tilted ? 2 * r.width : r.width;
    if (row == 0 || row > kMostPixels) return false;
    const int step = kMostPixels / row, count = (r.height + step - 1) / step + 1;
    if (count > kMostLines) return false;
    form.lines[i] = static_cast<std::uint8_t>(count);
    for (int l = 0; l < count; ++l) {
      const int h = std::min(l * step, r.height);
      if (feature.tilted) {
        form.corners.push_back({r.x - h, r.y + h, 0});
        form.corners.push_back({r.x + r.width - h, r.y + r.width + h, 0});
      } else {
        form.corners.push_back({r.x, r.y + h, 0});
        form.corners.push_back({r.x + r.width, r.y + h, 0});
      }
    }
  }
  form.shape = FeatureShape::kPieces;
  return true;
}

// Lists the corners of whole rectangles. A missing third rectangle gets the corners of an empty box.
void rects(const HaarFeature& feature, FeatureForm& form) {
  form.corners.clear();
  for (int i = 0; i < 3; ++i) {
    const Box box = i < rect_count(feature) ? feature.rects[i].box : Box{};
    for (const Corner& c : rect_corners(box, feature.tilted)) form.corners.push_back(c);
  }
  form.shape = FeatureShape::kRects;
}

}  // namespace

FeatureForm shape_haar(const HaarFeature& feature, Size window, bool exact_range) {
  FeatureForm form;
  form.tilted = feature.tilted;
  if (integer_valued(feature)) {
    form.corners = merged_corners(feature);
    if (value_range(feature, form.corners, window, exact_range) <= std::numeric_limits<std::int16_t>::max()) {
      if (!two_weights(form.corners, form) && !checker(form.corners, form))
        form.shape = FeatureShape::kCorners;
      return form;
    }
  }
  form.corners.clear();
  if (!pieces(feature, form)) rects(feature, form);
  return form;
}

FeatureForm shape_haar_wide(const HaarFeature& feature) {
  FeatureForm form;
  form.tilted = feature.tilted;
  if (integer_valued(feature)) {
    form.corners = merged_corners(feature);
    if (!two_weights(form.corners, form) && !checker(form.corners, form)) form.shape = FeatureShape::kCorners;
    return form;
  }
  rects(feature, form);
  return form;
}

FeatureForm shape_lbp(const LbpFeature& feature) {
  FeatureForm form;
  const Box& c = feature.cell;
  form.shape = c.width * c.height <= 257 ? FeatureShape::kLbp : FeatureShape::kLbpWide;
  for (int i = 0; i < 4; ++i) form.corners.push_back({c.x + i * c.width, 0, 0});
  for (int i = 0; i < 4; ++i) form.corners.push_back({0, c.y + i * c.height, 0});
  return form;
}

}  // namespace winnow
