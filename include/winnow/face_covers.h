// Gives the boxes to cover in each frame of a video, so that a face that is found in some frames stays hidden
// in the frames around them, too.
//
//   winnow::FaceCovers covers({.whole = true});
//   for (const winnow::Picture& frame : frames)
//     covers.add(frame.gray.view(), follower.next(frame.view()));
//   covers.finish();
//   std::vector<winnow::Box> boxes;
//   for (winnow::Picture& frame : frames) {
//     covers.next(boxes);
//     for (const winnow::Box& box : boxes) winnow::blur_box(frame.color.view(), box);
//   }
//
// A face is covered from the frame in which it first shows to the frame in which it last shows. Flow carries
// the face's points back through the frames before the first search that found the face. Flow also carries
// the points on after the face is lost. If a face is lost and found again within `gap` frames, the frames
// between are covered, too.
//
// In:     the frames of one video in their order, in host memory (any stride), and the faces of a `Follower`.
//         Flow cannot carry points to a frame of another size or to an empty frame. kUsage for options out of
//         range, and for a frame after `finish`. kDevice if a device fails; the covers then begin anew, as by
//         `restart`.
// Out:    for each frame, boxes inside the frame. The boxes are wider than the faces by `margin`.
// Exact:  same boxes for every backend, thread count and device count.
// Memory: copies of grey frames: at most `CoverOptions::memory` bytes, but two frames in any case. Also some
//         boxes for each frame that `next` has not given yet. Frames are read only during a call.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/export.h>
#include <winnow/face_cover.h>
#include <winnow/follower.h>

namespace winnow {

// A number that is not in its range is a kUsage error.
struct CoverOptions {
  int gap = 30;  // a face that returns after at most this many frames is covered meanwhile; 0 to 100,000
  // The number of frames that are covered before a face's first frame, and after its last frame; 0 to 1,000.
  // A frame whose boxes `next` has given already is not covered later. With `whole`, no face lingers over a cut
  // to another scene.
  int linger = 10;
  double margin = 0.2;  // width added at each side, as a fraction of the box's side; 0 to 1
  // A face is sure once so many searches within 60 frames found it; 1 to 1,000. Others are often false alarms:
  // with `whole`, they are covered at most `linger` frames before and after a search, without their points.
  // Without, later searches are not known, and they are covered like sure faces.
  int sure = 2;
  // False: the boxes of a frame are known once `gap` more frames were added, and a face is carried back by up
  // to `gap` frames. True: boxes are known after `finish`, and a face is carried back as far as `memory`
  // reaches.
  bool whole = false;
  std::int64_t memory = 256LL << 20;  // the most bytes of grey frames kept to carry faces back; 0 or more
};

class WINNOW_API FaceCovers {
 public:
  explicit FaceCovers(const CoverOptions& options = {}, const MachineOptions& machine = {});
  ~FaceCovers();
  FaceCovers(FaceCovers&&) noexcept;
  FaceCovers& operator=(FaceCovers&&) noexcept;

  BackendKind backend() const;  // kAuto if several backends may be used
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;

  // Takes the next frame, and the faces that `Follower::next` gave for this frame.
  void add(GrayView frame, std::span<const Followed> faces);
  // Ends the video: the boxes of all frames are then known.
  void finish();
  // Replaces `boxes` by the boxes of the next frame, beginning with the first frame. Returns false if these
  // boxes are not known yet, and after the last frame; `boxes` is then empty.
  bool next(std::vector<Box>& boxes);
  // The same with the reason for each box. Boxes lie in rising order, and a box may come more than once.
  bool next(std::vector<FaceCover>& covers);
  // Begins another video: forgets all frames and faces.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
