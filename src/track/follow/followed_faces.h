// Keeps the faces of a video from frame to frame: which face a found box is, and when a face is lost.
//
// In:     for each frame, where flow carried the points of the faces, and what a search found.
// Out:    the faces of the frame, in the order of their numbers.
// Exact:  doubles in a fixed order, and no chance; same faces for the same steps.
// Memory: owns the faces. A face that was lost is kept for `FollowRules::gap` frames. Frames are read only
//         during a call.
// Thread: one thread at a time.
//
// A frame goes so: `points` gives what flow must carry, and `wants_search` says whether to search. `carry`
// takes where the points went. Then `meet` takes what the search found, or `pass` ends a frame without a
// search. So flow and search of a frame can run together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/flow_options.h>

#include "track/follow/claims.h"
#include "track/follow/face_carry.h"
#include "track/follow/face_look.h"
#include "track/follow/steady.h"

namespace winnow {

struct FollowRules {
  int detect_every = 10;
  int gap = 30;
  double smooth = 0;
};

// A face that a search found.
struct SeenFace {
  FaceBox box;
  bool sure = true;  // whether it may begin a face
  std::span<const FacePlace> points;
};

struct KeptFace {
  enum class State { kFound, kTracked, kLost };
  int id = 0;
  State state = State::kFound;
  FaceBox box;
  std::vector<FaceLook> looks;  // of the searches that found the face, the last one at the end
  std::vector<FacePlace> points;
  int seen = -1;  // index of the `SeenFace` of this frame; negative if there is none

  int alone = 0;                    // searches in a row that did not find it
  int gone = 0;                     // frames since it was lost, 1 in that frame; 0 while it is there
  bool coasts = false;              // it was lost in the frame before, but no search has looked for it yet
  bool by_flow = false;             // flow lost it: it was told as lost one frame later
  double speed_x = 0, speed_y = 0;  // of its middle, in pixels a frame
  // What the caller gets, if `shown`: steadied, or as they are.
  bool shown = true;
  FaceBox shown_box;
  std::vector<FacePlace> shown_points;
  std::vector<Steady> filters;
};

class FollowedFaces {
 public:
  explicit FollowedFaces(const FollowRules& rules) : rules_(rules) {}

  // The points of all faces that are there, one after the other.
  void points(std::vector<FacePlace>& list) const;
  // Whether the next frame is to be searched. A frame without a frame before it is searched in any case.
  bool wants_search() const { return frame_ % rules_.detect_every == 0 || lost_ago_ < kSearchOn; }
  // Takes where these points went in the next frame, in their order, with the way back. A face that flow loses
  // goes on as it went, as tracked, for one frame. `begins`: this frame has no frame before it, so all faces
  // are lost, and it is searched.
  void carry(std::span<const FlowPoint> carried, GrayView frame, bool begins = false);
  void meet(std::span<const SeenFace> seen, GrayView frame);
  void pass();
  void restart();

  // The faces of this frame, by number. A face that is lost is shown for one frame.
  const std::vector<KeptFace>& faces() const { return faces_; }

 private:
  static constexpr int kSearchOn = 3;  // frames after a loss that are searched

  void lose(KeptFace& face);
  void coast(KeptFace& face);
  bool carry_on(KeptFace& face, std::span<const FlowPoint> points, GrayView frame);
  void take(KeptFace& face, const SeenFace& seen, int index, const FaceLook& look);
  void drop_doubles();
  void finish();
  void show(KeptFace& face);

  FollowRules rules_;
  std::int64_t frame_ = 0;  // the number of the next frame
  int last_id_ = 0;
  int lost_ago_ = 1 << 20;  // frames since flow lost a face; one more if a search lost it
  std::vector<KeptFace> faces_;
  CarryScratch scratch_;
};

}  // namespace winnow
