// Follows faces through a video: each keeps its number, and its points move with it.
//
//   winnow::Follower follower(winnow::DetectorModel::load("built-in:face"),
//                             winnow::Landmarks::load("built-in:face-68"));
//   for (const winnow::Followed& face : follower.next(frame.view()))
//     std::printf("%d %s %d %d\n", face.id, winnow::state_name(face.state), face.box.x, face.box.y);
//
// Faces are searched for every few frames, and after flow lost one. In between, flow carries the points of
// each face, and its box moves and grows with them. A face that flow loses goes on as it went for one frame;
// then a search finds it, or it is lost.
//
// A device carries and searches a frame in one submission, and several videos together. The host does one
// after the other in a region, with a border, in colour, and with a merging that the host does.
//
// In:     the frames of videos in their order, in host memory (any stride). Flow does not reach a frame of
//         another size: it is searched, and faces that are not found there are lost. An empty frame has no
//         faces. Errors are those of `FaceFinder`; after one all videos begin anew, as by `restart`.
// Out:    for each frame its faces, in the order of their numbers.
// Exact:  same faces for every backend, thread count and device count, whatever other videos are followed.
// Memory: a follower owns its buffers, and keeps the last frame of each video. Frames are read only during a
//         call. Faces that were lost are remembered for `FollowOptions::gap` frames.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/landmarker.h>
#include <winnow/machine.h>

namespace winnow {

// kUsage for a number that is not in its range.
struct FollowOptions {
  int detect_every = 10;  // search each frame whose number is a multiple of this; 1 or more
  int gap = 30;           // frames after which a lost face that returns is a new one; 0 to 100,000
  // Steadies points and boxes: 0 leaves them as they are; at 1 a face that stands still hardly trembles, and a
  // fast one is followed closely. Numbers in between do less. 0 to 1.
  double smooth = 0;
  // Where presence counts, a face begins with this presence or more. Less begins faces that are harder to see,
  // and more false alarms. 0 to 1.
  double begin = 0.5;
  // How faces are searched for, completed by `face_search`; not raw. Any object that the search keeps confirms
  // a face that is followed. A face begins with more than `min_neighbors` neighbours, 1 or more. The default is
  // the model's own number, and 1 where presence counts. There a face also needs one of these:
  // - a presence of `begin`;
  // - more than twice the model's own number of neighbours, and a presence of 0.1, or of 0.02 if its box is
  //   narrower than `kSmallFace`;
  // - a `begin` of `kFacePresence` or less: then all objects that the search keeps begin faces.
  DetectOptions search = {};
  // The least confidence of an object, as in `FaceFinder::find`. A face then begins with this presence.
  std::optional<double> min_confidence = {};
};

enum class FaceState {
  kFound,    // a search found it in this frame
  kTracked,  // flow carried it to this frame, or lost it just now
  kLost,     // it was there in the frame before; box and points are those of that frame
};
WINNOW_API const char* state_name(FaceState state);  // "found", "tracked", "lost"

struct Followed {
  int id = 0;  // from 1 on, in the order in which faces are first found
  FaceState state = FaceState::kFound;
  Box box;
  double score = 0;  // of the search that found the face last
  Shape shape;       // confidence is that of the search that found the face last
  bool operator==(const Followed&) const = default;
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

  // Takes the next frame of video 0.
  std::vector<Followed> next(const PictureView& frame);
  std::vector<Followed> next(GrayView frame) { return next(PictureView(frame)); }
  // Writes into an existing result, whose memory is used again.
  void next(const PictureView& frame, std::vector<Followed>& faces);
  // Takes the next frame of several videos at once: `frames[i]` of video i, whose faces are `faces[i]`. Videos
  // whose numbers are higher wait. kUsage unless there are as many lists as frames.
  void next(std::span<const PictureView> frames, std::span<std::vector<Followed>> faces);
  // Begins another video with this number: forgets its faces, and counts from 1 again.
  void restart(int video = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
