// Follows faces through a video: each face keeps its number, and its points move with the face.
//
//   winnow::Follower follower(winnow::DetectorModel::load("built-in:face"),
//                             winnow::Landmarks::load("built-in:face-68"));
//   for (const winnow::Followed& face : follower.next(frame.view()))
//     std::printf("%d %s %d %d\n", face.id, winnow::state_name(face.state), face.box.x, face.box.y);
//
// A search looks for faces every few frames, and after flow has lost a face. In between, flow carries the
// points of each face, and the face's box moves and grows with the points. In that box the landmarks are
// fitted anew in each frame (`Between` has other ways). A face that flow loses first moves on for one frame
// at its last speed, without a fit. In the next frame a search finds the face again, or the face is lost.
//
// A device carries points, fits and searches in one submission, for several videos together. These are
// separate steps if the search has a region, a border or colour. If a merge rule runs on the host, the points
// of found faces are fitted afterwards.
//
// In:     the frames of videos in their order, in host memory (any stride). Flow cannot carry points to a
//         frame of another size. Such a frame is searched, and faces that are not found there are lost. In an
//         empty frame all faces are lost. Errors are those of `FaceFinder`; after an error all videos begin
//         anew, as by `restart`. After a kDevice error the next call gives the device a new session. A device
//         that fails in two calls in a row is given up: this call and all further ones are kBackend errors
//         that say so. Make a new follower then. With kAuto the processor goes on instead, and `note` says
//         why.
// Out:    for each frame its faces, in the order of their numbers.
// Exact:  same faces for every backend, thread count and device count. Other videos do not change a video's
//         faces.
// Memory: a follower owns its buffers, and keeps the last frame of each video. Frames are read only during a
//         call. Faces that were lost are remembered for `FollowOptions::gap` frames.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/landmarker.h>
#include <winnow/machine.h>

namespace winnow {

// Where the points of a face lie in a frame, if the face was there in the frame before.
enum class Between {
  // Between the places to which flow carried the points and the fitted places. Points of a face that stands
  // still hardly tremble. Points that move, such as those of a mouth that opens, go where the fit is.
  kSteady,
  kFit,    // at the fitted places. These tremble from frame to frame, like those of single pictures
  kCarry,  // in searched frames at the fitted places, else where flow carried them: they slip by and by
};
WINNOW_API const char* between_name(Between between);     // "steady", "fit", "carry"
WINNOW_API Between parse_between(std::string_view name);  // kUsage for another name

// A number that is not in its range is a kUsage error.
struct FollowOptions {
  // Search frames 0, `detect_every`, 2 * `detect_every`, ...; 1 or more. Other frames are searched, too:
  // - three frames after one in which flow lost a face, and two after one in which a search lost a face;
  // - a frame that has no frame before it, and the two frames after it;
  // - the frame after a fit whose presence is below 0.2, if presence counts; for one face at most every third.
  int detect_every = 10;
  Between between = Between::kSteady;
  // Whether each frame is searched while no face is there. Without a value, a scan does so in cameras and
  // streams (`make_follow_scan`), and a `Follower` does not.
  std::optional<bool> until_found = {};
  int gap = 30;  // a lost face that returns after more frames is a new face; 0 to 100,000
  // How strongly points and boxes are smoothed over time, from 0 to 1. At 0 they are not smoothed. At 1 a
  // fast face is still followed closely. Smoothing changes what the caller gets, and not how faces are
  // followed.
  double smooth = 0;
  // The presence that a new face needs, from 0 to 1, if presence counts. Presence counts if the landmarks
  // have presence and were trained with boxes of this detector. A lower value also finds faces that are
  // harder to see, and more false alarms.
  double begin = 0.5;
  // The options of the search, completed by `face_search`. `raw` is not allowed. Any object that the search
  // keeps can confirm a face that flow carried to the frame. A new face needs more than `min_neighbors`
  // neighbours, where `min_neighbors` is 1 or more. Its default is 1 if presence counts, else the model's
  // own. If presence counts, `begin` is above `kFacePresence`, and `min_confidence` has no value, a new
  // face also needs one of these:
  // - a presence of at least `begin`;
  // - more neighbours than twice the model's own `min_neighbors`, and a presence of 0.1, or of 0.02 if its
  //   box is narrower than `kSmallFace`.
  DetectOptions search = {};
  // The least confidence of an object, as in `FaceFinder::find`. If it has a value and presence counts, a new
  // face needs a presence of this value instead of `begin`.
  std::optional<double> min_confidence = {};
};

enum class FaceState {
  kFound,    // a search found the face in this frame
  kTracked,  // flow carried the face to this frame, or lost the face in this frame
  kLost,     // lost since the previous frame; box and points are those of that frame
};
WINNOW_API const char* state_name(FaceState state);  // "found", "tracked", "lost"

struct Followed {
  int id = 0;  // counts from 1, in the order in which faces are first found
  FaceState state = FaceState::kFound;
  Box box;
  double score = 0;  // from the last search that found the face
  // Confidence and presence are of this frame's fit. If there is none, they are of the last fit: in a frame in
  // which flow lost the face, in a frame that the face is lost in, and between searches with `kCarry`.
  Shape shape;
  int neighbors = 0;  // windows that the last search that found the face merged
  bool operator==(const Followed&) const = default;
};

class WINNOW_API Follower {
 public:
  Follower(DetectorModel model, Landmarks landmarks, FollowOptions options = {},
           const MachineOptions& machine = {});
  ~Follower();
  Follower(Follower&&) noexcept;
  Follower& operator=(Follower&&) noexcept;

  BackendKind backend() const;       // kAuto if several backends may be used
  BackendKind last_backend() const;  // the backend that did the last frame
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;

  // Takes the next frame of video 0.
  std::vector<Followed> next(const PictureView& frame);
  std::vector<Followed> next(GrayView frame) { return next(PictureView(frame)); }
  // Writes into an existing result, whose memory is used again.
  void next(const PictureView& frame, std::vector<Followed>& faces);
  // Takes the next frames of several videos at once: `frames[i]` belongs to video i, whose faces go into
  // `faces[i]`. Videos with higher numbers get no frame in this call. kUsage unless there are as many lists
  // of faces as frames.
  void next(std::span<const PictureView> frames, std::span<std::vector<Followed>> faces);
  // Begins a new video under this number: forgets the old video's faces, and numbers faces from 1 again.
  void restart(int video = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
