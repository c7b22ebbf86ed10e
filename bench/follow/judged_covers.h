// Counts frames in which covers leave a face visible, and covers that no face needs.
//
// In:     for each frame the places of faces, and boxes that cover them.
// Out:    counts.
// Exact:  whole numbers.
// Memory: the caller owns the lists.
// Thread: any.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <winnow/face_covers.h>

namespace bench {

struct FacePlace {
  winnow::Box box;
  bool visible = true;  // false: the face is hidden, and needs no cover
};
using Faces = std::vector<std::vector<FacePlace>>;  // for each frame its faces
using Boxes = std::vector<std::vector<winnow::Box>>;

struct CoverCounts {
  int visible = 0, open = 0;  // visible faces; visible faces whose middle no cover holds
  int strict = 0;             // visible faces of which less than 80 % is covered
  int hidden = 0, hidden_open = 0;
  int covers = 0, needless = 0;  // all covers; covers that no face touches within `gap` frames
  double part = 0;               // the covered fraction of each frame, summed over frames

  void add(const Faces& faces, const Boxes& covers, int gap, winnow::Size frame);
};

// How much of a video covers wipe. The detail of a pixel is the sum of its absolute differences to the pixels
// at its right and below it. The detail of a frame is the sum over its pixels. A blur leaves next to nothing.
struct WipedDetail {
  double all = 0, wiped = 0,
         faces = 0;  // detail of all pixels, of covered pixels, and inside of marked boxes

  void add(winnow::GrayView frame, const std::vector<winnow::Box>& covers,
           const std::vector<FacePlace>& marked);
  double percent_wiped() const { return all > 0 ? 100 * wiped / all : 0; }
  double percent_in_faces() const { return all > 0 ? 100 * faces / all : 0; }
};

// The frames of a video, and a follower's faces in each frame.
struct FollowedVideo {
  std::vector<winnow::GrayImage> frames;
  std::vector<std::vector<winnow::Followed>> faces;
};
void follow(FollowedVideo& video, const winnow::FollowOptions& options,
            const winnow::MachineOptions& machine);
// The boxes of the follower itself, to compare with `FaceCovers`.
Boxes boxes_of(const FollowedVideo& video);
Boxes covers_of(const FollowedVideo& video, const winnow::CoverOptions& options,
                const winnow::MachineOptions& machine);

}  // namespace bench
