// Follows faces through a video: each keeps its number, and its points move with it.
//
//   winnow::Follower follower(winnow::DetectorModel::load("built-in:face"),
//                             winnow::Landmarks::load("built-in:face-68"));
//   for (const winnow::Followed& face : follower.next(frame.view()))
//     std::printf("%d %s %d %d\n", face.id, winnow::state_name(face.state), face.box.x, face.box.y);
//
// Faces are searched for every few frames, and as soon as one is lost. In between, flow carries the points of
// each face, and its box moves and grows with them.
//
// In:     the frames of one video in their order, in host memory (any stride). Flow does not reach a frame of
//         another size: it is searched, and faces that are not found there are lost. An empty frame has no
//         faces. Errors are those of `FaceFinder`; after one the follower begins anew, as by `restart`.
// Out:    for each frame its faces, in the order of their numbers.
// Exact:  same faces for every backend, thread count and device count.
// Memory: a follower owns its buffers, and keeps the pyramids of two frames. Frames are read only during a
//         call. Faces that were lost are remembered for `FollowOptions::gap` frames.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include <winnow/export.h>
#include <winnow/face_finder.h>
#include <winnow/flow.h>

namespace winnow {

// kUsage for a number that is not in its range.
struct FollowOptions {
  int detect_every = 10;  // search each frame whose number is a multiple of this; 1 or more
  int gap = 30;           // frames after which a lost face that returns is a new one; 0 to 100,000
  // Steadies points and boxes: 0 leaves them as they are; at 1 a face that stands still hardly trembles, and a
  // fast one is followed closely. Numbers in between do less. 0 to 1.
  double smooth = 0;
  // How faces are searched for, completed by `face_search`. Any object confirms a face that is followed. A
  // face begins with more than `min_neighbors` neighbours: 1 or more, and not raw. Where presence counts, it
  // must also be 1/2 or more, and 1 neighbour is the default; else the default is the model's own number.
  DetectOptions search = {};
};

enum class FaceState {
  kFound,    // a search found it in this frame
  kTracked,  // flow carried it to this frame
  kLost,     // it was there in the frame before; box and points are those of that frame
};
WINNOW_API const char* state_name(FaceState state);  // "found", "tracked", "lost"

struct Followed {
  int id = 0;  // from 1 on, in the order in which faces are first found
  FaceState state = FaceState::kFound;
  Box box;
  double score = 0;  // of the search that found the face last
  Shape shape;       // confidence is that of the search that found the face last
};

class WINNOW_API Follower {
 public:
  Follower(DetectorModel model, Landmarks landmarks, FollowOptions options = {},
           const MachineOptions& machine = {});
  ~Follower();
  Follower(Follower&&) noexcept;
  Follower& operator=(Follower&&) noexcept;

  BackendKind backend() const;  // the backend that `auto` chose for the detector
  int threads() const;

  // Takes the next frame.
  std::vector<Followed> next(const PictureView& frame);
  std::vector<Followed> next(GrayView frame) { return next(PictureView(frame)); }
  // Writes into an existing result, whose memory is used again.
  void next(const PictureView& frame, std::vector<Followed>& faces);
  // Begins another video: forgets all faces, and counts from 1 again.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
