// Holds the values of one window for SIMD lanes, and gives pixels that vectors may read.
//
// In:     a grey picture with pixels, and a block of pixels that may reach beyond the picture.
// Out:    the block's first pixel. Vectors may read `kFlowRead` pixels of each row. Pixels behind the block
//         have any value.
// Exact:  copies. Pixels outside of the picture are mirrored about the edge pixels, as `mirrored` says.
// Memory: a block refers to the picture, or to a copy in memory of the caller.
// Thread: any, with memory of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <winnow/image.h>

#include "track/flow/flow_rule.h"

namespace winnow {

inline constexpr int kFlowRead = 64;  // pixels of a row that vectors may read
inline constexpr int kFlowRows = kMostFlowWindow + 3;

struct FlowBlock {
  const std::uint8_t* pixels = nullptr;
  std::ptrdiff_t stride = 0;
};

// Columns and rows of a window that lie in the picture, counted from the window's corner.
struct FlowInside {
  int left, right, top, bottom;
};

// No value is set before a window is opened. Rows with values of whole pixels have room behind the window,
// since vectors also read values two columns further right.
struct FlowLanes {
  std::int16_t patch[kMostFlowWindow][32], slope_x[kMostFlowWindow][32], slope_y[kMostFlowWindow][32];
  std::int16_t whole_x[kFlowRows][64], whole_y[kFlowRows][64];
  std::int16_t smooth[kFlowRows][80], difference[kFlowRows][80];
  std::uint8_t first[kFlowRows * kFlowRead], second[kFlowRows * kFlowRead];
};

// A block of `columns` x `rows` pixels from (x, y) on. `copy` has kFlowRows rows of kFlowRead pixels.
inline FlowBlock flow_block(GrayView picture, int x, int y, int columns, int rows, std::uint8_t* copy) {
  const bool is_inside = x >= 0 && y >= 0 && x + columns <= picture.width && y + rows <= picture.height;
  // Vectors may read on into the next rows, but not behind the last row.
  const std::ptrdiff_t behind = (picture.height - y - rows) * picture.stride + picture.width - x;
  if (is_inside && behind >= kFlowRead) return {picture.row(y) + x, picture.stride};
  int column[kFlowRead];
  for (int i = 0; i < columns; ++i) column[i] = mirrored(x + i, picture.width);
  for (int i = 0; i < rows; ++i) {
    const std::uint8_t* const from = picture.row(mirrored(y + i, picture.height));
    std::uint8_t* const to = copy + i * kFlowRead;
    for (int j = 0; j < columns; ++j) to[j] = from[column[j]];
  }
  return {copy, kFlowRead};
}

}  // namespace winnow
