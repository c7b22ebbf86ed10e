// One level of the pyramid: an exact bilinear resize of the whole picture, each level from the picture
// itself. In: a grey picture and a size. Out: a grey picture of that size; the caller owns both. exact: equal
// to OpenCV's INTER_LINEAR_EXACT. The cpu form works in bands of rows, so that a large level never exists as
// a whole.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/resize_rule.h"

namespace winnow {

void resize_ref(GrayView source, ImageView<std::uint8_t> target);

// How the columns of one level fall on the picture, made once for a frame size. A chunk is 16 columns of the
// level.
struct ResizeColumns {
  enum class Reach : std::uint8_t { kNear, kMiddle, kFar };  // 8, 4 or single columns share a 16-byte load
  int source_width = 0;
  int target_width = 0;
  bool same = false;  // target size equals source size in both directions
  Reach reach = Reach::kFar;
  std::vector<std::int32_t> offset;  // left tap of each column (padded to a multiple of 16)
  std::vector<std::uint16_t> weight;
  // kNear: a group of 8 columns, kMiddle: of 4: first byte of its 16-byte load.
  std::vector<std::int32_t> load;
  std::vector<std::uint8_t> taps;  // two a column: bytes of that load, left and right
};
void make_columns(int source_width, int target_width, ResizeColumns& columns);

// Scratch for one thread: the two newest source rows, resized along x.
struct ResizeRows {
  std::vector<std::uint16_t> across[2];
  int held[2] = {-1, -1};
  void forget() { held[0] = held[1] = -1; }
};

// Columns [first, first + count) of row `y` of the level into `row` (which has room for count + 32 bytes;
// `first` is a multiple of 16). Rows are cheapest in rising order. `rows` must forget for another strip or
// picture.
void resize_row_cpu(GrayView source, int target_height, const ResizeColumns& columns, int first, int count,
                    int y, ResizeRows& rows, std::uint8_t* row);

}  // namespace winnow
