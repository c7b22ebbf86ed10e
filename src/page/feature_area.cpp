#include "page/feature_area.h"

#include <cmath>

namespace winnow {
namespace {

// Whether the box contains the point. `HaarRect` (winnow/cascade_model.h) says where a tilted box lies.
bool contains(const Box& box, bool tilted, double x, double y) {
  const double dx = x - box.x, dy = y - box.y;
  if (!tilted) return dx >= 0 && dy >= 0 && dx < box.width && dy < box.height;
  const double right = (dx + dy) / 2, left = (dy - dx) / 2;
  return right >= 0 && left >= 0 && right < box.width && left < box.height;
}

FeatureArea haar_area(const HaarFeature& feature, double x, double y) {
  double weight = 0;
  for (const HaarRect& rect : feature.rects) {
    if (rect.weight != 0 && contains(rect.box, feature.tilted, x, y))
      weight += static_cast<double>(rect.weight);
  }
  if (weight == 0) return FeatureArea::kOutside;
  return weight > 0 ? FeatureArea::kAdded : FeatureArea::kTakenAway;
}

// Returns the number of the cell that holds a point along one axis: 0, 1 or 2. `from_first`: the point's
// distance from the edge of the first cell.
int cell_of(double from_first, int side) { return from_first < side ? 0 : from_first < 2 * side ? 1 : 2; }

FeatureArea lbp_area(const LbpFeature& feature, double x, double y, double line) {
  const Box& cell = feature.cell;
  const Box whole{cell.x, cell.y, 3 * cell.width, 3 * cell.height};
  if (!contains(whole, false, x, y)) return FeatureArea::kOutside;
  const double dx = x - cell.x, dy = y - cell.y;
  if (line > 0 && (std::fmod(dx, cell.width) < line || std::fmod(dy, cell.height) < line ||
                   dx + line >= whole.width || dy + line >= whole.height))
    return FeatureArea::kLine;
  const int column = cell_of(dx, cell.width), row = cell_of(dy, cell.height);
  if (column == 1 && row == 1) return FeatureArea::kMiddleCell;
  return column == 1 || row == 1 ? FeatureArea::kSideCell : FeatureArea::kCornerCell;
}

}  // namespace

FeatureArea feature_area(const CascadeModel& model, std::int32_t feature, double x, double y, double line) {
  const auto index = static_cast<std::size_t>(feature), haar = model.haar.size();
  return index < haar ? haar_area(model.haar[index], x, y) : lbp_area(model.lbp[index - haar], x, y, line);
}

}  // namespace winnow
