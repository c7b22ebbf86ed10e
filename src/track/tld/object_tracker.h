// Follows one object through a video, and learns it on the way: tracking, learning and detection (TLD).
//
// In:     the frame in which a person marks the object, with its box. For each later frame the flow of the
//         points that `points` gives, and a sieve whose frames keep the frame.
// Out:    for each frame the object's box, a confidence, and whether the object was found, followed or lost.
// Exact:  doubles in a fixed order and whole numbers; same boxes for the same seed.
// Memory: owns what it knows of the object. Frames and their planes belong to the sieve's frames. `mark`
//         takes memory for the planes of a frame, and frees it.
// Thread: one thread at a time.
//
// In each frame flow moves the box, and the whole frame is searched. Both meet: if exactly one cluster of
// found windows lies elsewhere and is more certain, the box goes there; else candidates near by draw the
// box a little. Then the box climbs to where it looks most like the object as it was marked, or else as it
// was learnt early, and moves a part of that way: flow alone drifts, and what is learnt then drifts with it.
// Where the object is certain, it is learnt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/image.h>

#include "track/flow/flow_rule.h"
#include "track/flow/flow_runner.h"
#include "track/tld/confidence.h"
#include "track/tld/learnt_object.h"
#include "track/tld/object_frame.h"
#include "track/tld/object_search.h"
#include "track/tld/object_steps.h"
#include "track/tld/sift/window_sieve.h"

namespace winnow {

enum class ObjectState { kFound, kTracked, kLost };

struct TrackedObject {
  RealBox box;  // if the object is lost, the last one in which it was not
  // The probability that the place where flow and search see the object is on it; 0 if they do not see it.
  double confidence = 0;
  ObjectState state = ObjectState::kLost;
};

// Where an object is, beside what is known of its looks.
struct TrackingPlace {
  TrackedObject last;
  RealBox box;               // where flow and search see the object; a lost object may have one, too
  bool there = false;        // the object has a box in the last frame
  bool valid = false;        // its place is certain enough to be learnt
  std::uint64_t number = 0;  // of the last frame; the first frame is 0
  SignMemory memory;
};

class ObjectTracker {
 public:
  // `steps`: for frames with marks.
  ObjectTracker(const ObjectSteps& steps, std::uint64_t seed) : steps_(&steps), object_(seed) {}
  // Goes on with an object that another tracker learnt. `frame`: the size of the frame of `place`, or none for
  // an object that is not there.
  ObjectTracker(const ObjectSteps& steps, LearntObject object, const TrackingPlace& place, Size frame);

  // The rules of flow that the points of an object need, for each number of halvings. They differ in what
  // counts as texture alone, so that one runner keeps frames for all.
  static FlowRules flow_rules(int halvings = 0);

  // Learns the object in the box, which a person marked: the first box, or a correction in the newest frame.
  // False if no window is near to the box; nothing then changes.
  bool mark(GrayView frame, const RealBox& box);
  // The points whose flow to the next frame is needed, there and back; none while the object is lost.
  void points(std::vector<FlowPlace>& list) const;
  // Begins to search the next frame, which the sieve's frames keep. On a device the work goes on while the
  // caller carries the points.
  void begin(Size frame, WindowSieve& sieve);
  // If the flow of the points is torn, tries it again from where the camera's motion brings them
  // (camera_motion.h). `runner` carried the points. Call it after `begin`.
  void carry_again(Size frame, FlowRunner& runner, std::span<const FlowPlace> points,
                   std::span<FlowResult> flow) const;
  // Takes this frame, with the same sieve, and the flow of the points to it.
  const TrackedObject& next(Size frame, WindowSieve& sieve, std::span<const FlowPlace> points,
                            std::span<const FlowResult> flow, int threads = 1);

  // Forgets where the object is. The search may find it again.
  void lose();

  // Where flow and search see the object in the newest frame, whether or not it counts as lost. No value if
  // they do not see it.
  struct Seen {
    RealBox box;
    BoxSigns signs;
  };
  const std::optional<Seen>& seen() const { return seen_; }

  const TrackedObject& last() const { return last_; }
  TrackingPlace place() const { return {last_, box_, there_, valid_, number_, memory_}; }
  const LearntObject& object() const { return object_; }
  const ObjectFinds& finds() const { return finds_; }
  const ObjectGrid& grid() const { return grid_; }

 private:
  // Where clusters of found windows lie in the frame, and how certain they are.
  struct Cluster {
    RealBox box;
    double confidence = 0;
  };
  std::vector<Cluster> clusters() const;
  // The mean of a box, which counts ten times, and of the candidates that overlap it.
  RealBox drawn(const RealBox& box) const;
  // The box, after a part of the way to where it looks most like the object did.
  RealBox corrected(const RealBox& box) const;
  // Whether a found window lies where the box is.
  bool is_confirmed() const;
  void learn(const Likeness& like, Size frame);

  const ObjectSteps* steps_;
  LearntObject object_;
  ObjectGrid grid_;
  ObjectFrame frame_;  // shows the level that is searched
  ObjectFinds finds_;
  TrackedObject last_;
  std::optional<Seen> seen_;
  RealBox box_;               // where flow and search see the object; a lost object may have one, too
  bool there_ = false;        // the object has a box in the last frame
  bool valid_ = false;        // its place is certain enough to be learnt
  std::uint64_t number_ = 0;  // of the last frame; the first frame is 0
  SignMemory memory_;         // of what confidence needs
};

}  // namespace winnow
