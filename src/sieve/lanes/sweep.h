// Judges jobs of windows on one thread of the cpu sieve: a thread's memory, and the calls that are dispatched
// per SIMD target.
//
// In:     jobs, each with some rows of windows of one level of a picture; and the cascade's lane program, to
//         which job and worker both refer.
// Out:    survivors in no particular order, and counters. Both are added to the worker's `survivors` and
//         counters.
// Exact:  same bits for every SIMD target and every cut of a picture into jobs.
// Memory: a worker owns its memory and allocates it in its constructor. Later the worker allocates only if
//         more windows survive than ever before. The caller sizes `skip_next` to the rows of the largest job.
//         A job refers to its picture, model, program, level and columns.
// Thread: one thread per worker at a time. Workers may share programs.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/plan.h"
#include "scale/resize.h"
#include "scale/strip.h"
#include "sieve/lanes/lane_program.h"
#include "sieve/lanes/pending.h"
#include "sieve/stages.h"

namespace winnow {

// The width of a strip (scale/strip.h): the number of pixel columns in which its windows may start. A
// multiple of 2 * kBundle.
constexpr int kStripWidth = 768;
// The height of a band of a strip: the number of pixel rows in which its windows may start. All windows of a
// band are judged before the strip's planes move on to lower rows.
constexpr int kBandHeight = 96;

// Eight neighbouring windows in a row of a band, with a bit for each window that still lives. One 32-bit
// word, so that an octet moves in a register.
class Octet {
 public:
  Octet() = default;
  // `row`, `col`: the first window's row in the band and column in the strip, counted in windows. `alive`:
  // one bit for each window that lives.
  Octet(int row, int col, std::uint32_t alive)
      : bits_(static_cast<std::uint32_t>(row) << 20 | static_cast<std::uint32_t>(col) << 8 | alive) {}
  int row() const { return static_cast<int>(bits_ >> 20); }
  int col() const { return static_cast<int>(bits_ >> 8 & 0xFFF); }
  std::uint32_t alive() const { return bits_ & 0xFF; }
  Octet with(std::uint32_t alive) const {
    Octet octet = *this;
    octet.bits_ = (bits_ & ~0xFFu) | alive;
    return octet;
  }

 private:
  std::uint32_t bits_ = 0;
};
constexpr int kOctets = kBundle / 8;  // octets of a bundle
constexpr int kSquad = 4;             // bundles that are judged together, with one load of each table
static_assert(kStripWidth <= 1 << 12 && kBandHeight <= 1 << 12);
constexpr std::size_t kBandOctets = static_cast<std::size_t>(kBandHeight) * kStripWidth / 8;

constexpr int kNormStride = kStripWidth + kBundle;

// The data that moves with an octet's windows through a fixed-point cascade: one cache line.
struct alignas(64) OctetLine {
  float norm[8];
  std::int32_t sum[8];
};

// The values at one corner for all windows of a packed bundle: one cache line.
struct alignas(64) PackedCorner {
  std::uint16_t window[kBundle];
};

// The leaf of one weak classifier for each window of a bundle.
struct alignas(64) LeafRow {
  std::int32_t window[kBundle];
};

struct SweepWorker {
  Strip strip;
  ResizeRows resize_rows;
  std::vector<std::uint8_t> pixels;     // a row of the level's pixels, in the strip's columns
  std::vector<float> norms;             // the norms of a band's windows, in rows of kNormStride values
  std::vector<std::uint8_t> skip_next;  // per row of windows: whether the next strip skips its first window
  std::vector<Octet> octets;            // a list of octets, with room for all octets of a band
  std::vector<OctetLine> lines;         // one for each of the `octets`, for fixed-point cascades
  std::vector<PendingList> pending;     // one list per stage, of the windows that wait for the stage
  Shelf shelf;
  std::vector<PackedCorner> patch;      // the corners of a packed bundle
  std::vector<std::uint32_t> verdicts;  // the verdicts of each node, one bit per window
  std::vector<LeafRow> leaf_rows;
  std::vector<Survivor> survivors;
  std::int64_t skipped = 0, flat = 0;
  std::vector<std::int64_t> reached;  // windows per stage of the model; the last entry counts survivors

  SweepWorker(const LaneProgram& program, Size window);
  void clear();  // discards all results, for the next picture
};

struct SweepJob {
  GrayView picture;
  const CascadeModel* model;
  const LaneProgram* program;
  const Level* level;
  const ResizeColumns* columns;  // map the picture's columns to the level's columns
  int first_row, last_row;       // rows of windows `first_row` to `last_row` - 1 of the level
};

// The numbers of columns and rows that the integral planes of a strip need, for a window size.
int strip_stride(Size window);
int strip_rows(Size window);

// Judges the windows of a job. Some windows may stay pending, to be packed with windows of the worker's other
// jobs. `finish_sweep` judges a worker's pending windows after the worker's last job of a picture. `job` may
// then be any job of that picture.
void sweep(const SweepJob& job, SweepWorker& worker);
void finish_sweep(const SweepJob& job, SweepWorker& worker);
// `sweep` and `finish_sweep` call these functions for fixed-point cascades. These functions have a source
// file of their own, because each of the two files takes minutes to compile.
void fixed_sweep(const SweepJob& job, SweepWorker& worker);
void finish_fixed_sweep(const SweepJob& job, SweepWorker& worker);
std::string sweep_target();  // the SIMD target that `sweep` runs on

}  // namespace winnow
