// Resizes a grey picture to one level of the pyramid. Each level is made from the picture itself.
//
// In:     a grey picture (any stride) and the level's size.
// Out:    `resize_ref`: the whole level. `resize_row_cpu`: some columns of one row, so that a large level
//         never exists as a whole.
// Exact:  equal to OpenCV's INTER_LINEAR_EXACT.
// Memory: the caller owns picture, level, columns and scratch. The scratch grows to the widest row, and keeps
//         its memory.
// Thread: any. Each thread needs its own `ResizeRows`; threads may use one `ResizeColumns`.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/resize_rule.h"

namespace winnow {

void resize_ref(GrayView source, ImageView<std::uint8_t> target);

// The taps of a level's columns: for each, the two columns of the picture that are mixed. Made once for a
// frame size.
struct ResizeColumns {
  enum class Spread : std::uint8_t { kNear, kMiddle, kFar };  // a 16-byte load serves 8, 4 or no columns
  int source_width = 0;
  int target_width = 0;
  bool same = false;  // set by the caller if the level is as large as the picture; then rows are copied
  Spread spread = Spread::kFar;
  std::vector<std::int32_t> offset;  // left tap of each column (padded to a multiple of 16)
  std::vector<std::uint16_t> weight;
  // The first byte of each 16-byte load. A load serves 8 columns for kNear, 4 for kMiddle.
  std::vector<std::int32_t> load;
  std::vector<std::uint8_t> taps;  // two per column, left and right: byte positions in the column's load
};
void make_columns(int source_width, int target_width, ResizeColumns& columns);

// Scratch of one thread: the two newest rows of the picture, resized along x.
struct ResizeRows {
  std::vector<std::uint16_t> across[2];
  int held[2] = {-1, -1};  // the numbers of both rows in the picture; -1 means no row
  void forget() { held[0] = held[1] = -1; }
};

// Writes columns [first, first + count) of row `y` of the level into `row`, which has room for count + 32
// bytes. `first` is a multiple of 16. Rows in rising order are cheapest. Call `rows.forget()` before another
// strip or picture.
void resize_row_cpu(GrayView source, int target_height, const ResizeColumns& columns, int first, int count,
                    int y, ResizeRows& rows, std::uint8_t* row);

}  // namespace winnow
