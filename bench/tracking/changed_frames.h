// Changes a marked sequence in a known way: hides the object for a while, or turns the camera at once.
//
// In:     grey frames of one size, and the object's box in each.
// Out:    the same sequence with changed frames and boxes, and the frames in which a change begins.
// Exact:  whole numbers; a filled pixel is the mean of two lines between pixels of the border, rounded down.
// Memory: the caller owns the sequence.
// Thread: any.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <winnow/box.h>
#include <winnow/image.h>

namespace bench {

struct MarkedFrames {
  std::vector<winnow::GrayImage> frames;
  std::vector<std::optional<winnow::RealBox>> boxes;  // no value: the object is not there
};

// The first gap begins in this frame, and one more after each `kGapEvery` frames.
inline constexpr std::size_t kFirstGap = 50, kGapEvery = 80, kGapLength = 20;
// The camera turns in every 40th frame that has the object.
inline constexpr std::size_t kTurnEvery = 40;

// Paints over the part of the box that lies in the frame. The pixels on its border stay. A pixel within
// becomes the mean of the straight lines from left to right and from top to bottom.
void paint_over(winnow::GrayImage& frame, const winnow::RealBox& box);

// Paints the object over in gaps that end before the sequence does. There it has no box.
std::vector<std::size_t> add_gaps(MarkedFrames& sequence);

// From each turn on, frames are moved by a third of their width more, to the side on which the object stays
// in the frame. What leaves a frame on one side comes in on the other.
std::vector<std::size_t> add_turns(MarkedFrames& sequence);

}  // namespace bench
