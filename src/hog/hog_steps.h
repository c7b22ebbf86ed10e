// Scores windows of a picture with a linear SVM over histograms of oriented gradients.
//
// In:     a model, and a picture in grey or in colour (`Sieve` in sieve/stages.h).
// Out:    a sieve. A window survives if its score is the least score or more.
// Exact:  same bits for every backend, thread count and SIMD target (docs/design/015-people.md).
// Memory: a sieve owns its buffers and keeps the model alive.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include <winnow/detector_model.h>

#include "base/host_device.h"
#include "hog/hog_form.h"
#include "sieve/stages.h"

namespace winnow {

// What a window needs; minus infinity, the default of the options, is 0.
double least_hog_score(const SieveOptions& options);
// The channels as planes in OpenCV's order: blue, green, red. Memory of `planes` is used again.
void split_channels(RgbView color, std::vector<GrayImage>& planes);

// The border of a level mirrors it about its outermost pixels.
WINNOW_HOST_DEVICE inline int mirrored(int at, int size) {
  if (size == 1) return 0;
  if (at < 0) return -at;
  return at < size ? at : 2 * size - 2 - at;
}

std::unique_ptr<Sieve> make_hog_sieve_ref(const DetectorModel& model);
// Blocks of two by two cells, at a stride of one cell, use SIMD. Other shapes use plain loops.
std::unique_ptr<Sieve> make_hog_sieve_cpu(const DetectorModel& model, int threads);

// The values of all blocks of a level, for tests: block (x, y) of the grid begins at pixel (x * step.width, y
// * step.height).
struct BlockGrid {
  Size step, count;
  int values = 0;  // of a block
  std::vector<std::int16_t> blocks;
  const std::int16_t* at(int x, int y) const {
    return blocks.data() + (static_cast<std::ptrdiff_t>(y) * count.width + x) * values;
  }
};
// `planes`: 1 of grey, or 3 of one size.
BlockGrid describe_level_ref(const HogForm& form, std::span<const GrayView> planes, Size step);

}  // namespace winnow
