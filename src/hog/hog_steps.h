// Scores windows of a picture with a linear SVM over histograms of oriented gradients.
//
// In:     a model, and a picture in grey or in colour (`Sieve` in sieve/stages.h).
// Out:    a sieve. A window survives if its score is at least `min_hog_score`.
// Exact:  same bits for every backend, thread count and SIMD target (docs/design/015-people.md).
// Memory: a sieve owns its buffers and keeps the model alive. Pointers of `BlockGrid::at` point into
//         `BlockGrid::blocks`, and live as long as that list.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include <winnow/detector_model.h>

#include "hog/hog_form.h"
#include "image/border.h"
#include "sieve/stages.h"

namespace winnow {

// The least score of a survivor: the option `min_score`, or 0 if this option is minus infinity, its default.
double min_hog_score(const SieveOptions& options);
// Writes the channels as planes in OpenCV's order: blue, green, red. The memory of `planes` is used again.
void split_channels(RgbView color, std::vector<GrayImage>& planes);
void split_channels_cpu(RgbView color, std::vector<GrayImage>& planes);  // the same, with SIMD

std::unique_ptr<Sieve> make_hog_sieve_ref(const DetectorModel& model);
// Models of OpenCV's usual shape, blocks of two by two cells at a stride of one cell, take half the time of
// other models.
std::unique_ptr<Sieve> make_hog_sieve_cpu(const DetectorModel& model, int threads);

// A grid of blocks on a level, with their values. Block (x, y) begins (x * step.width, y * step.height)
// pixels from the grid's corner.
struct BlockGrid {
  PixelPoint corner;  // in pixels of the level; it may lie outside
  Size step, count;
  int values = 0;  // values of one block
  std::vector<std::int16_t> blocks;
  const std::int16_t* at(int x, int y) const {
    return blocks.data() + (static_cast<std::ptrdiff_t>(y) * count.width + x) * values;
  }
  // The distances in `blocks` from a block's values to those of the window's next block: `across` along a
  // row, `down` along a column.
  std::ptrdiff_t across(const HogShape& shape) const {
    return static_cast<std::ptrdiff_t>(shape.block_stride.width / step.width) * values;
  }
  std::ptrdiff_t down(const HogShape& shape) const {
    return static_cast<std::ptrdiff_t>(shape.block_stride.height / step.height) * count.width * values;
  }
  // The box of pixels that the grid's blocks cover.
  Box area(Size block) const {
    return {corner.x, corner.y, (count.width - 1) * step.width + block.width,
            (count.height - 1) * step.height + block.height};
  }
  void make_room() {
    blocks.resize(static_cast<std::size_t>(count.width) * static_cast<std::size_t>(count.height) *
                  static_cast<std::size_t>(values));
  }
};
// Lays out the grid of blocks that windows of a level need, without values. `corner`: the first window's
// corner. `count`: columns and rows of windows. `steps`: the steps between windows; a step is not used in a
// direction that has one window.
void lay_grid(const HogShape& shape, PixelPoint corner, Size count, Size steps, BlockGrid& grid);
// Computes the values of the grid's blocks. `planes`: 1 plane of grey, or 3 planes of colour and one size.
void describe_ref(const HogForm& form, std::span<const GrayView> planes, BlockGrid& grid);

}  // namespace winnow
