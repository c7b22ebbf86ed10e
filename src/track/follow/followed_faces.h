// Keeps the faces of a video from frame to frame: which face a found box is, and when a face is lost.
//
// In:     for each frame, where flow carried the points of the faces, what a search found, and where fits
//         found the points of faces that no search found.
// Out:    the faces of the frame, in the order of their numbers.
// Exact:  doubles in a fixed order, and nothing random; same faces for the same calls.
// Memory: owns the faces. A face that was lost is kept for `FollowRules::gap` frames. Frames are read only
//         during a call.
// Thread: one thread at a time.
//
// The calls for a frame: `points` lists the points that flow must carry, and `wants_search` says whether to
// search. `carry` takes the places to which flow carried the points. If the frame was searched, `meet` takes
// what the search found. `fit` takes the fitted points of each face for which `wants_fit` is true. `finish`
// ends the frame. So flow, search and fits of a frame can run together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/flow_options.h>

#include "track/follow/claims.h"
#include "track/follow/face_carry.h"
#include "track/follow/face_look.h"
#include "track/follow/point_blend.h"
#include "track/follow/steady.h"

namespace winnow {

// Where the points of a face lie in a frame to which flow carried the face.
enum class PointRule {
  kBlend,  // between the places to which flow carried them and their fitted places (`PointBlend`)
  kFit,    // at their fitted places
  kCarry,  // where flow carried them; nothing is fitted
};

struct FollowRules {
  int detect_every = 10;
  int gap = 30;
  double smooth = 0;
  PointRule points = PointRule::kBlend;
  bool until_found = false;      // search each frame while no face is there
  bool presence_counts = false;  // the next two are 0 otherwise
  double ask_below = 0;          // a fit with a lower presence asks for a search of the next frame
  double doubt_below = 0;        // a face is doubted if the mean presence of its recent fits is lower
};

// A face that a search found.
struct SeenFace {
  RealBox box;
  bool sure = true;     // whether it may begin a face
  double presence = 1;  // 1 if presence does not count
  std::span<const PointPlace> points;
};

struct KeptFace {
  enum class State { kFound, kTracked, kLost };
  int id = 0;
  State state = State::kFound;
  RealBox box;
  std::vector<FaceLook> looks;  // how the face looked when searches found it; the newest look is the last
  std::vector<PointPlace> points;
  int seen = -1;     // index of the `SeenFace` of this frame; negative if there is none
  int carried = -1;  // index among the faces that flow carried to this frame; negative if flow did not
  std::vector<PointPlace> fitted;   // the points' places by this frame's fit; empty without a fit
  std::vector<PointBlend> blends;   // of the points, from frame to frame
  std::int64_t asked = -(1 << 20);  // the frame whose fit last asked for a search
  double presence = 1;              // the mean of the presences of recent fits; 1 if presence does not count

  int alone = 0;                    // searches in a row that did not find the face
  int gone = 0;                     // 1 in the frame that lost the face, 2 in the next; 0 while it is there
  bool coasts = false;              // flow lost the face one frame ago, when it was still given as tracked
  bool by_flow = false;             // flow lost the face, so it is given as lost one frame later
  double speed_x = 0, speed_y = 0;  // of the face's middle, in pixels a frame
  // The box and the points that the caller gets if `shown`; steadied if `FollowRules::smooth` is above 0.
  bool shown = true;
  RealBox shown_box;
  std::vector<PointPlace> shown_points;
  std::vector<Steady> filters;
};

class FollowedFaces {
 public:
  explicit FollowedFaces(const FollowRules& rules) : rules_(rules) {}

  // The points of all faces that are there, one after the other, and the faces' boxes.
  void points(std::vector<PointPlace>& list, std::vector<RealBox>& boxes) const;
  // Whether the next frame is to be searched. A frame without a frame before it is searched in any case.
  bool wants_search() const;
  // Takes the flow of these points to the next frame and back, in the order of the points. A face that flow
  // loses moves on at its speed for one frame, and counts as tracked there. `begins`: this frame has no frame
  // before it, so all faces are lost, and the frame is searched.
  void carry(std::span<const FlowPoint> carried, GrayView frame, bool begins = false);
  void meet(std::span<const SeenFace> seen, GrayView frame);
  // Whether the face's points are to be fitted in its box: flow carried the face to this frame, and no search
  // found it there.
  bool wants_fit(const KeptFace& face) const {
    return rules_.points != PointRule::kCarry && face.gone == 0 && face.seen < 0;
  }
  // Takes the fitted points of the face at index `face`, and the fit's presence; 1 if presence does not count.
  // With a presence below `ask_below` the next frame is searched, but for one face at most once in `kAskEvery`
  // frames. If such a search does not find a face that is not doubted, nothing follows from it.
  void fit(std::size_t face, std::span<const PointPlace> points, double presence);
  void finish();
  void restart();

  // The faces of this frame, by number. A face that is lost is shown for one frame.
  const std::vector<KeptFace>& faces() const { return faces_; }

 private:
  static constexpr int kSearchOn = 3;  // how many frames after a loss are searched
  static constexpr int kAskEvery = 3;

  // Whether a frame is searched, whatever its faces are. `lost_ago`: as `lost_ago_` before that frame.
  bool is_due(std::int64_t frame, int lost_ago) const {
    return frame % rules_.detect_every == 0 || lost_ago < kSearchOn;
  }
  bool is_doubted(const KeptFace& face) const { return face.presence < rules_.doubt_below; }
  // Whether nothing follows if the search of this frame does not find the face.
  bool stays(const KeptFace& face) const { return only_asked_ && !is_doubted(face); }

  void lose(KeptFace& face);
  void coast(KeptFace& face);
  bool carry_on(KeptFace& face, std::span<const FlowPoint> points, GrayView frame);
  void take(KeptFace& face, const SeenFace& seen, int index, const FaceLook& look);
  void drop_doubles();
  void place_points(KeptFace& face) const;
  void show(KeptFace& face);

  FollowRules rules_;
  std::int64_t frame_ = 0;  // the number of the next frame
  int last_id_ = 0;
  // Frames since flow lost a face, at most `kSearchOn`; begins at 1 if a search lost the face.
  int lost_ago_ = kSearchOn;
  bool asked_ = false;       // a fit of the last frame asked for a search
  bool only_asked_ = false;  // this frame is searched only because a fit asked for a search
  std::vector<KeptFace> faces_;
  CarryScratch scratch_;
};

}  // namespace winnow
