// What one thread of the cpu sieve works with, and the one call that is dispatched per SIMD target.
// In: a job (some rows of windows of one level). Out: survivors and counts, added to the worker's own. No
// allocation while a frame flows, unless there are more survivors than ever before.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/plan.h"
#include "scale/resize.h"
#include "scale/strip.h"
#include "sieve/lane_program.h"
#include "sieve/stages.h"

namespace winnow {

constexpr int kGroup = 32;  // windows judged together: bits of a word
constexpr int kStripWidth =
    640;  // pixels of a level that windows of a strip may start in; a multiple of 2 * kGroup
constexpr int kBandHeight = 64;  // rows of a level whose windows are judged before the planes move on

// Eight neighbouring windows of which some live.
struct Octet {
  std::int32_t narrow;  // place in the 16-bit planes (split on levels of step 2)
  std::int32_t at;      // place in the planes that lie row by row
  std::int32_t norm;    // of the first window, in SweepWorker::norms
  std::int32_t window;  // row * cols + col on its level
  std::uint32_t alive;  // a bit a window
};

constexpr int kNormStride = kStripWidth + kGroup;

// A window that waits to be packed with others.
struct Waiting {
  std::int32_t at;  // of its corner in the strip's planes, row by row
  float norm;
  std::int32_t window;  // row * cols + col on its level
};

struct SweepWorker {
  Strip strip;
  ResizeRows resize_rows;
  std::vector<std::uint8_t> pixels;           // one row of the strip
  std::vector<float> norms;                   // of a band's windows, kNormStride a row
  std::vector<std::uint8_t> skip_next;        // a row of windows: is the next strip's first one skipped?
  std::vector<Octet> octets;                  // of a band, those in which a window lives
  std::vector<std::vector<Waiting>> waiting;  // by the stage they wait for
  std::vector<std::uint16_t> patch;           // packed windows
  std::vector<std::uint32_t> verdicts;        // trees: a node's bits
  std::vector<Survivor> survivors;
  std::int64_t skipped = 0, flat = 0, weak = 0;
  std::vector<std::int64_t> reached;

  SweepWorker(const LaneProgram& program, Size window, bool square);
};

struct SweepJob {
  GrayView picture;
  const CascadeModel* model;
  const LaneProgram* program;
  const Level* level;
  const ResizeColumns* columns;
  int first_row, last_row;  // rows of the level's grid
  bool pack;                // whether windows are small enough to be packed
};

// Integral columns and rows of a strip that windows need, for a window size.
int strip_stride(Size window);
int strip_rows(Size window);

void sweep(const SweepJob& job, SweepWorker& worker);
std::string sweep_target();  // the SIMD target that `sweep` runs on

}  // namespace winnow
