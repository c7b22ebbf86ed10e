// Finds the area of a feature in which a point of the window lies. Drawings choose their colours by areas.
//
// In:     a checked model, not copied, the number of a feature, and a point.
// Out:    the area.
// Exact:  the same areas for the same model.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstdint>

#include <winnow/cascade_model.h>
#include <winnow/image.h>

namespace winnow {

enum class FeatureArea {
  kOutside,     // outside of the feature; Haar: also where the weights add up to 0
  kAdded,       // Haar: the weights of the rectangles here add up to more than 0
  kTakenAway,   // Haar: the weights of the rectangles here add up to less than 0
  kCornerCell,  // LBP: one of the four cells at the corners
  kSideCell,    // LBP: one of the four cells between two corner cells
  kMiddleCell,  // LBP: the cell that the eight other cells are compared with
  kLine,        // LBP: on a line along the edge of a cell
};

// `feature` is a number as `feature_number` gives it. (x, y) is a point in pixels of the window. `line` is
// the width of the lines between LBP cells, in pixels of the window; 0 draws none.
FeatureArea feature_area(const CascadeModel& model, std::int32_t feature, double x, double y, double line);

// Calls paint(pixel, area) for every pixel of a tile, which shows the window enlarged by `zoom`.
template <class Pixel, class Paint>
void paint_feature(ImageView<Pixel> tile, const CascadeModel& model, std::int32_t feature, double zoom,
                   double line, Paint paint) {
  for (int y = 0; y < tile.height; ++y) {
    Pixel* row = tile.row(y);
    for (int x = 0; x < tile.width; ++x)
      paint(row[x], feature_area(model, feature, (x + 0.5) / zoom, (y + 0.5) / zoom, line));
  }
}

}  // namespace winnow
