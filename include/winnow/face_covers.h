// Says what must be covered in each frame of a video, so that a face that is found in some frames shows in
// none of the frames around them.
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
// A face is covered from where it is first seen to where it is last seen. From the frame in which a search
// finds it, flow carries its points back through the frames before. From the frame in which it is lost, flow
// carries them on. Where a face is lost and found again within the gap, the frames between are covered, too.
//
// In:     the frames of one video in their order, in host memory (any stride), and the faces of a `Follower`.
//         Flow does not reach a frame of another size, nor an empty frame. kUsage for options out of range,
//         and for a frame after `finish`. kDevice if a device fails; begin anew then, by `restart`.
// Out:    for each frame boxes inside the frame. They are wider than the faces by `margin`.
// Exact:  same boxes for every backend, thread count and device count.
// Memory: copies of grey frames, at most `memory` bytes but two frames in any case, and some boxes for each
//         frame that was not given yet. Frames are read only during a call.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <winnow/export.h>
#include <winnow/follower.h>

namespace winnow {

// kUsage for a number that is not in its range.
struct CoverOptions {
  int gap = 30;     // the most frames between two ends of a face that are covered; 0 to 100,000
  int linger = 10;  // frames covered before a beginning and after an end that have no other end; 0 to 1,000
  double margin = 0.2;  // of a box's sides, added at each side; 0 to 1
  // False: the boxes of a frame are known as soon as `gap` more frames were added. A face is carried back that far.
  // True: they are known after `finish`, and a face is carried back as far as memory reaches.
  bool whole = false;
  std::int64_t memory = 256LL << 20;  // bytes of grey frames that are kept for the way back; 0 or more
};

class WINNOW_API FaceCovers {
 public:
  explicit FaceCovers(const CoverOptions& options = {}, const MachineOptions& machine = {});
  ~FaceCovers();
  FaceCovers(FaceCovers&&) noexcept;
  FaceCovers& operator=(FaceCovers&&) noexcept;

  BackendKind backend() const;  // the backend that `auto` chose
  int threads() const;

  // Takes the next frame, and what `Follower::next` gave for it.
  void add(GrayView frame, std::span<const Followed> faces);
  // No frame follows: the boxes of all frames are known.
  void finish();
  // Gives the boxes of the next frame, from the first on. False if they are not known yet, and after the last.
  bool next(std::vector<Box>& boxes);
  // Begins another video.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
