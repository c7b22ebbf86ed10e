// Measures how much the points of a followed face tremble, and how far they lag behind, in noise.
//
// In:     pictures of one face each, landmarks, and how to follow.
// Out:    pixels a frame, and frames.
// Exact:  same figures for the same arguments and for every backend.
// Memory: a few frames.
// Thread: one thread at a time.
#pragma once

#include <string>
#include <vector>

#include <winnow/follower.h>

namespace bench {

// Two ways in which the face moves.
enum class Stand { kStill, kMoves };  // kMoves: to the right by 4 pixels a frame

// `trembling`: the mean distance of a point from one frame to the next, in pixels. `lag`: by how many frames
// points lag behind a moving face.
struct Steadiness {
  double trembling = 0, lag = 0;
};
// Follows the face for 50 frames. `noise`: the deviation of the noise, in grey values.
Steadiness steadiness_of(const winnow::Landmarks& landmarks, const winnow::MachineOptions& machine,
                         winnow::GrayView face, const winnow::FollowOptions& options, Stand stand,
                         double noise);

// The first pictures of HELEN's training part in which face-68 finds one face, resized until the pupils are 80
// pixels apart. Pictures that would have a side above 2000 pixels are left out.
std::vector<winnow::GrayImage> still_faces(const std::string& data, const winnow::MachineOptions& machine,
                                           int count);

}  // namespace bench
