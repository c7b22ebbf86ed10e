// Makes a picture of rows of colours: grey by the rule, and colour if it is wanted.
//
// In:     the size, which the caller has checked, and whole rows in any order.
// Out:    the picture.
// Exact:  grey follows `gray_rule.h`.
// Memory: the pictures are allocated at once. `take` gives them away.
// Thread: one thread at a time.
#pragma once

#include <algorithm>
#include <utility>

#include <winnow/image.h>

#include "image/gray_rule.h"

namespace winnow {

class PictureRows {
 public:
  PictureRows(int width, int height, bool color) {
    picture_.gray = GrayImage(width, height);
    if (color) picture_.color = RgbImage(width, height);
  }
  // `row` has a colour for each pixel of row y.
  void put(int y, const Rgb* row) {
    std::transform(row, row + picture_.gray.width(), picture_.gray.row(y), gray_of);
    if (!picture_.color.empty()) std::copy_n(row, picture_.color.width(), picture_.color.row(y));
  }
  Picture take() { return std::move(picture_); }

 private:
  Picture picture_;
};

}  // namespace winnow
