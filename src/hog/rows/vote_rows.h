// Computes the gradient votes of a level's pixels with SIMD, a few rows at a time.
//
// In:     planes of a picture (1 of grey, or 3 of colour), the level's size, and an area of the level. The
//         area may extend beyond the level, which is mirrored there.
// Out:    for each pixel of some rows of the area: both votes, and the offsets of both bins.
// Exact:  the votes of `reference`.
// Memory: buffers grow to the widest area, and keep their memory. Form and planes must stay until the last
//         row. Votes stay until the next call of `from`.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

#include "hog/hog_form.h"
#include "scale/resize.h"

namespace winnow {

// The length of lists is a multiple of 16 items, so that they hold whole vectors.
inline constexpr int kHogLanes = 16;
constexpr int whole_lanes(int count) { return (count + kHogLanes - 1) / kHogLanes * kHogLanes; }

// The number of rows whose votes are summed together. While a sum of one row waits for the sum before it, the
// sum of the other row is computed.
inline constexpr int kVoteRowsAtOnce = 2;

// The votes of a row of pixels. `here` and `next` are the votes of each pixel for its lower bin and for the
// bin after that (`GradientVote`). `bins` and `next_bins` are four times the numbers of these bins.
struct VoteRow {
  const float *here, *next;
  const std::int32_t *bins, *next_bins;
};

class VoteRows {
 public:
  // The arguments must stay unchanged until the last row.
  void begin(const HogForm& form, std::span<const GrayView> planes, Size level, const Box& area);
  // Gives the votes of kVoteRowsAtOnce rows of the area, from row `y` on. Rows beyond the area's last row
  // repeat row `y`. The votes stay until the next call, which must have a larger `y`.
  const VoteRow* from(int y);

 private:
  void make_votes(int y, int place);
  void make_pixels(int row);
  float* pixels(std::size_t plane, int row) {
    return pixels_.data() + (plane * 3 + static_cast<std::size_t>((row + 1) % 3)) * pitch_ + kHogLanes;
  }

  const HogForm* form_ = nullptr;
  std::span<const GrayView> planes_;
  Size level_;
  Box area_;
  int made_ = -2;                           // the last row of pixels that is made; -1 lies above the area
  int first_ = 0, count_ = 0;               // the range of the level's columns that is resized
  int inside_first_ = 0, inside_last_ = 0;  // columns of the level that lie in the area or next to it
  std::size_t pitch_ = 0;                   // stride of a row of pixels
  struct Mirrored {
    int to, from;  // a column of the area, and the column of the level that it mirrors
  };
  std::vector<Mirrored> mirrored_;
  std::vector<ResizeColumns> columns_;
  std::vector<ResizeRows> rows_;
  std::vector<std::uint8_t> bytes_;
  std::vector<float> pixels_;         // the newest three rows of each plane
  std::size_t votes_pitch_ = 0;       // stride of a list of votes
  std::vector<float> lengths_;        // both votes of each pixel, for each row
  std::vector<std::int32_t> places_;  // `bins` and `next_bins` of each pixel, for each row
  VoteRow rows_of_votes_[kVoteRowsAtOnce] = {};
};

}  // namespace winnow
