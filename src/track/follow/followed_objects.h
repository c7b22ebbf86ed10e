// Keeps the objects of a video from frame to frame: which object a found box is, and when an object is lost.
//
// In:     for each frame, where flow carried the points of the objects, what a search found, and where fits
//         found the points of objects that no search found.
// Out:    the objects of the frame, in the order of their numbers.
// Exact:  doubles in a fixed order, and nothing random; same objects for the same calls.
// Memory: owns the objects. An object that was lost is kept for `FollowRules::gap` frames. Frames are read
//         only during a call.
// Thread: one thread at a time.
//
// The calls for a frame: `points` lists the points that flow must carry, and `wants_search` says whether to
// search. `carry` takes the places to which flow carried the points. If the frame was searched, `meet` takes
// what the search found. `fit` takes the fitted points of each object for which `wants_fit` is true. `finish`
// ends the frame. So flow, search and fits of a frame can run together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/flow_options.h>

#include "track/follow/box_carry.h"
#include "track/follow/claims.h"
#include "track/follow/look.h"
#include "track/follow/point_blend.h"
#include "track/follow/steady.h"

namespace winnow {

// Where the points of an object lie in a frame to which flow carried the object.
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
  bool until_found = false;      // search each frame while no object is there
  bool presence_counts = false;  // the next two are 0 otherwise
  double ask_below = 0;          // a fit with a lower presence asks for a search of the next frame
  double doubt_below = 0;        // an object is doubted if the mean presence of its recent fits is lower
};

// An object that a search found.
struct SeenObject {
  RealBox box;
  bool sure = true;     // whether it may become a kept object
  double presence = 1;  // 1 if presence does not count
  std::span<const PointPlace> points;
};

struct KeptObject {
  enum class State { kFound, kTracked, kLost };
  int id = 0;
  State state = State::kFound;
  RealBox box;
  std::vector<Look> looks;  // how the object looked when searches found it; the newest look is the last
  std::vector<PointPlace> points;
  int seen = -1;     // index of the `SeenObject` of this frame; negative if there is none
  int carried = -1;  // index among the objects that flow carried to this frame; negative if flow did not
  std::vector<PointPlace> fitted;   // the points' places by this frame's fit; empty without a fit
  std::vector<PointBlend> blends;   // of the points, from frame to frame
  std::int64_t asked = -(1 << 20);  // the frame whose fit last asked for a search
  double presence = 1;              // the mean of the presences of recent fits; 1 if presence does not count

  int alone = 0;                    // searches in a row that did not find the object
  int gone = 0;                     // 1 in the frame that lost the object, 2 in the next; 0 while it is there
  bool coasts = false;              // flow lost the object one frame ago, when it was still given as tracked
  bool by_flow = false;             // flow lost the object, so it is given as lost one frame later
  double speed_x = 0, speed_y = 0;  // of the object's middle, in pixels a frame
  // The box and the points that the caller gets if `shown`; steadied if `FollowRules::smooth` is above 0.
  bool shown = true;
  RealBox shown_box;
  std::vector<PointPlace> shown_points;
  std::vector<Steady> filters;
};

class FollowedObjects {
 public:
  explicit FollowedObjects(const FollowRules& rules) : rules_(rules) {}

  // The points of all objects that are there, one after the other, and the objects' boxes.
  void points(std::vector<PointPlace>& list, std::vector<RealBox>& boxes) const;
  // Whether the next frame is to be searched. A frame without a frame before it is searched in any case.
  bool wants_search() const;
  // Takes the flow of these points to the next frame and back, in the order of the points. An object that
  // flow loses moves on at its speed for one frame, and counts as tracked there. `begins`: this frame has no
  // frame before it, so all objects are lost, and the frame is searched.
  void carry(std::span<const FlowPoint> carried, GrayView frame, bool begins = false);
  void meet(std::span<const SeenObject> seen, GrayView frame);
  // Whether the object's points are to be fitted in its box: flow carried the object to this frame, and no
  // search found it there.
  bool wants_fit(const KeptObject& object) const {
    return rules_.points != PointRule::kCarry && object.gone == 0 && object.seen < 0;
  }
  // Takes the fitted points of the object at index `object`, and the fit's presence; 1 if presence does not
  // count. With a presence below `ask_below` the next frame is searched, but for one object at most once in
  // `kAskEvery` frames. If such a search does not find an object that is not doubted, nothing follows from
  // it.
  void fit(std::size_t object, std::span<const PointPlace> points, double presence);
  void finish();
  void restart();

  // The objects of this frame, by number. An object that is lost is shown for one frame.
  const std::vector<KeptObject>& objects() const { return objects_; }

 private:
  static constexpr int kSearchOn = 3;  // how many frames after a loss are searched
  static constexpr int kAskEvery = 3;

  // Whether a frame is searched, whatever its objects are. `lost_ago`: as `lost_ago_` before that frame.
  bool is_due(std::int64_t frame, int lost_ago) const {
    return frame % rules_.detect_every == 0 || lost_ago < kSearchOn;
  }
  bool is_doubted(const KeptObject& object) const { return object.presence < rules_.doubt_below; }
  // Whether nothing follows if the search of this frame does not find the object.
  bool stays(const KeptObject& object) const { return only_asked_ && !is_doubted(object); }

  void lose(KeptObject& object);
  void coast(KeptObject& object);
  bool carry_on(KeptObject& object, std::span<const FlowPoint> points, GrayView frame);
  void take(KeptObject& object, const SeenObject& seen, int index, const Look& look);
  void drop_doubles();
  void place_points(KeptObject& object) const;
  void show(KeptObject& object);

  FollowRules rules_;
  std::int64_t frame_ = 0;  // the number of the next frame
  int last_id_ = 0;
  // Frames since flow lost an object, at most `kSearchOn`; begins at 1 if a search lost the object.
  int lost_ago_ = kSearchOn;
  bool asked_ = false;       // a fit of the last frame asked for a search
  bool only_asked_ = false;  // this frame is searched only because a fit asked for a search
  std::vector<KeptObject> objects_;
  CarryScratch scratch_;
};

}  // namespace winnow
