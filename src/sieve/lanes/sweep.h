// What one thread of the cpu sieve works with, and the one call that is dispatched per SIMD target.
// In: jobs (some rows of windows of one level). Out: survivors and counts, added to the worker's own. No
// allocation while a frame flows, unless there are more survivors than ever before.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/plan.h"
#include "scale/resize.h"
#include "scale/strip.h"
#include "sieve/lanes/lane_program.h"
#include "sieve/lanes/waiting.h"
#include "sieve/stages.h"

namespace winnow {

constexpr int kStripWidth =
    768;  // pixels of a level that windows of a strip may start in; a multiple of 2 * kGroup
constexpr int kBandHeight = 96;  // rows of a level whose windows are judged before the planes move on

// Eight neighbouring windows of a band of which some live: one word, so that lists of them are moved in
// registers.
class Octet {
 public:
  Octet() = default;
  // The first window's row in the band and column in the strip; a bit for each one that lives.
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
constexpr int kOctets = kGroup / 8;  // judged together
constexpr int kSquad = 4;            // groups that share what is loaded for a table
static_assert(kStripWidth <= 1 << 12 && kBandHeight <= 1 << 12);
constexpr std::size_t kBandOctets = static_cast<std::size_t>(kBandHeight) * kStripWidth / 8;

constexpr int kNormStride = kStripWidth + kGroup;

// What goes with an octet's windows through a fixed-point cascade: a cache line.
struct alignas(64) OctetLine {
  float norm[8];
  std::int32_t sum[8];
};

// One corner of the windows of a packed group: a cache line.
struct alignas(64) PackedCorner {
  std::uint16_t window[kGroup];
};

// What a weak classifier is worth to each window of a group.
struct alignas(64) LeafRow {
  std::int32_t window[kGroup];
};

struct SweepWorker {
  Strip strip;
  ResizeRows resize_rows;
  std::vector<std::uint8_t> pixels;     // one row of the strip
  std::vector<float> norms;             // of a band's windows, kNormStride a row
  std::vector<std::uint8_t> skip_next;  // a row of windows: is the next strip's first one skipped?
  std::vector<Octet> octets;            // room for a band's
  std::vector<OctetLine> lines;         // beside them, of a fixed-point cascade
  std::vector<WaitingList> waiting;     // by the stage they wait for
  Shelf shelf;
  std::vector<PackedCorner> patch;      // packed windows
  std::vector<std::uint32_t> verdicts;  // trees: a node's bits
  std::vector<LeafRow> leaf_rows;
  std::vector<Survivor> survivors;
  std::int64_t skipped = 0, flat = 0;
  std::vector<std::int64_t> reached;  // by the model's stages

  SweepWorker(const LaneProgram& program, Size window);
  void clear();  // for another picture, whatever was left of the last one
};

struct SweepJob {
  GrayView picture;
  const CascadeModel* model;
  const LaneProgram* program;
  const Level* level;
  const ResizeColumns* columns;
  int first_row, last_row;  // rows of the level's grid
};

// Integral columns and rows of a strip that windows need, for a window size.
int strip_stride(Size window);
int strip_rows(Size window);

// Windows may wait for those of the worker's other jobs. `finish_sweep`, which is given any of a picture's,
// deals with those that still wait in the end.
void sweep(const SweepJob& job, SweepWorker& worker);
void finish_sweep(const SweepJob& job, SweepWorker& worker);
// The same for a fixed-point cascade: each takes minutes to compile.
void fixed_sweep(const SweepJob& job, SweepWorker& worker);
void finish_fixed_sweep(const SweepJob& job, SweepWorker& worker);
std::string sweep_target();  // the SIMD target that `sweep` runs on

}  // namespace winnow
