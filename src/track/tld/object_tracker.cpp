#include "track/tld/object_tracker.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/real_box.h"
#include "track/tld/box_motion.h"
#include "track/tld/camera_motion.h"
#include "track/tld/climb.h"
#include "track/tld/object_learner.h"

namespace winnow {
namespace {

constexpr double kSameCluster = 0.5;  // windows that overlap more belong together
constexpr double kElsewhere = 0.5;    // a cluster that overlaps the followed box less lies elsewhere
constexpr double kSamePlace = 0.7;    // a window that overlaps the box more confirms it
constexpr double kOwnWeight = 10;
// The box climbs to the marked look if it is this much alike there; else to the earlier looks, if it is that
// much alike. It goes a part of the way.
constexpr double kLeastMarked = 0.8, kLeastEarly = 0.7, kPartOfWay = 0.3, kFinestStep = 0.25;
// How many times larger the object is than in the small videos for which TLD's thresholds of flow are made.
constexpr int enlargement(int halvings) { return 1 << std::max(0, halvings - 1); }

// The size of the level of a frame that is searched.
Size level_size(Size frame, int halvings) {
  for (int i = gaussian_levels(frame, halvings + 1); i > 1; --i) frame = halved(frame);
  return frame;
}

constexpr std::size_t kNearByWhenLost = 20;  // candidates beside which boxes are tried, too
// A place is learnt if it is at least this relatively and conservatively alike, and at most this like
// surroundings. After a jump learning begins again once flow brings the box to a place more alike than
// `kValidAgain`.
constexpr double kLeastRelative = 0.5, kLeastConservative = 0.35, kMostOther = 0.95, kValidAgain = 0.5;

}  // namespace

FlowRules ObjectTracker::flow_rules(int halvings) {
  FlowRules rules;
  // Slopes of a picture that is enlarged are as much smaller.
  const auto enlarged = static_cast<float>(enlargement(halvings));
  rules.min_eigen /= enlarged * enlarged;
  rules.levels = 6;
  rules.width = rules.height = 9;
  rules.ncc_width = rules.ncc_height = 11;
  rules.iterations = 20;
  rules.eps_square = 0.03 * 0.03;
  rules.back = rules.ncc = true;
  return rules;
}

ObjectTracker::ObjectTracker(const ObjectSteps& steps, LearntObject object, const TrackingPlace& place,
                             Size frame)
    : steps_(&steps),
      object_(std::move(object)),
      last_(place.last),
      box_(place.box),
      there_(place.there),
      valid_(place.valid),
      number_(place.number),
      memory_(place.memory) {
  if (frame != Size{}) grid_.plan(level_size(frame, object_.halvings), object_);
}

bool ObjectTracker::mark(GrayView frame, const RealBox& box) {
  const bool first = object_.templates.objects() == 0;
  if (first) object_.halvings = halvings_for(box);
  ObjectFrame planes;
  planes.make(frame, object_.halvings, *steps_);
  const auto learn = [&] {
    return first ? learn_first(planes, grid_, object_)
                 : learn_marked(planes, grid_, planes.to_level(box), number_, object_);
  };
  const RealBox shape = object_.box;
  const int halvings = object_.halvings;
  if (first) object_.box = planes.to_level(box);
  if (first || grid_.level != planes.level().size()) grid_.plan(planes.level().size(), object_);
  bool learnt = learn();
  if (!learnt && !first) {
    // The object has another size or shape now: so have its level and its windows.
    const auto search = [&](int times, const RealBox* windows) {
      object_.halvings = times;
      planes.make(frame, times, *steps_);
      object_.box = windows != nullptr ? *windows : planes.to_level(box);
      grid_.plan(planes.level().size(), object_);
    };
    search(halvings_for(box), nullptr);
    learnt = learn();
    if (!learnt) search(halvings, &shape);
  }
  if (!learnt) return false;
  there_ = valid_ = true;
  box_ = box;
  seen_ = {box, {1, true, {}}};
  memory_ = {};
  last_ = {box, 1, ObjectState::kFound};
  return true;
}

void ObjectTracker::lose() {
  there_ = valid_ = false;
  memory_.lose();
  seen_.reset();
  last_.confidence = 0;
  last_.state = ObjectState::kLost;
}

void ObjectTracker::points(std::vector<FlowPlace>& list) const {
  list.clear();
  if (there_) grid_points(box_, list);
}

void ObjectTracker::carry_again(Size frame, FlowRunner& runner, std::span<const FlowPlace> points,
                                std::span<FlowResult> flow) const {
  if (!there_ || flow.empty()) return;
  const int enlarged = enlargement(object_.halvings);
  if (is_torn(flow, enlarged))
    carry_with_camera({box_, frame, flow_rules(object_.halvings), enlarged}, runner, points, flow);
}

std::vector<ObjectTracker::Cluster> ObjectTracker::clusters() const {
  std::vector<const ObjectCandidate*> found;
  for (const ObjectCandidate& candidate : finds_.candidates)
    if (candidate.found) found.push_back(&candidate);
  // Each window begins as a cluster of its own; the later one joins the earlier.
  std::vector<std::size_t> of(found.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    of[i] = i;
    for (std::size_t j = 0; j < i; ++j) {
      if (of[i] == of[j] || overlap_of(found[i]->place, found[j]->place) <= kSameCluster) continue;
      const std::size_t from = std::max(of[i], of[j]), to = std::min(of[i], of[j]);
      std::replace(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(i) + 1, from, to);
    }
  }
  std::vector<Cluster> list;
  for (std::size_t first = 0; first < found.size(); ++first) {
    if (of[first] != first) continue;
    RealBox sum;
    double confidence = 0, count = 0;
    for (std::size_t i = first; i < found.size(); ++i) {
      if (of[i] != first) continue;
      const RealBox& place = found[i]->place;
      sum = {sum.x + place.x, sum.y + place.y, sum.width + place.width, sum.height + place.height};
      confidence += found[i]->like.conservative;
      ++count;
    }
    list.push_back({frame_.to_frame({sum.x / count, sum.y / count, sum.width / count, sum.height / count}),
                    confidence / count});
  }
  return list;
}

RealBox ObjectTracker::drawn(const RealBox& box) const {
  double count = kOwnWeight;
  RealBox sum{box.x * count, box.y * count, box.width * count, box.height * count};
  for (const ObjectCandidate& candidate : finds_.candidates) {
    const RealBox other = frame_.to_frame(candidate.box);
    if (overlap_of(box, other) <= kSamePlace) continue;
    sum = {sum.x + other.x, sum.y + other.y, sum.width + other.width, sum.height + other.height};
    ++count;
  }
  return {sum.x / count, sum.y / count, sum.width / count, sum.height / count};
}

RealBox ObjectTracker::corrected(const RealBox& box) const {
  const RealBox from = frame_.to_level(box);
  const auto climb_by = [&](double (Templates::*like)(const ObjectPatch&) const) {
    return climb(from, kFinestStep,
                 [&](const RealBox& at) { return (object_.templates.*like)(patch_at(frame_.level(), at)); });
  };
  Climbed to = climb_by(&Templates::like_certain);
  if (to.score < kLeastMarked) {
    to = climb_by(&Templates::like_early);
    if (to.score < kLeastEarly) return box;
  }
  const auto part = [](double a, double b) { return a + (b - a) * kPartOfWay; };
  return frame_.to_frame({part(from.x, to.box.x), part(from.y, to.box.y), part(from.width, to.box.width),
                          part(from.height, to.box.height)});
}

void ObjectTracker::begin(Size frame, WindowSieve& sieve) {
  if (const Size level = level_size(frame, object_.halvings); grid_.level != level) {
    grid_.plan(level, object_);
    there_ = false;
  }
  sieve.begin(grid_, object_);
}

const TrackedObject& ObjectTracker::next(Size frame, WindowSieve& sieve, std::span<const FlowPlace> points,
                                         std::span<const FlowResult> flow, int threads) {
  finds_.likely = sieve.finish(grid_, object_, threads, frame_);
  ++number_;
  const auto like_at = [&](const RealBox& box) {
    return object_.templates.compare(patch_at(frame_.level(), frame_.to_level(box)));
  };
  std::optional<RealBox> followed;
  FlowSigns signs;
  if (there_ && !flow.empty())
    followed = moved_box(box_, points, flow, frame, enlargement(object_.halvings), &signs);
  judge_likely(frame_, grid_, object_, followed ? 0 : kNearByWhenLost, threads, finds_);
  const std::vector<Cluster> seen = clusters();
  const Cluster* jump = nullptr;
  if (followed) {
    const double certain = like_at(*followed).conservative;
    valid_ = valid_ || certain > kValidAgain;
    int better = 0;
    for (const Cluster& cluster : seen) {
      if (overlap_of(*followed, cluster.box) >= kElsewhere || cluster.confidence <= certain) continue;
      jump = &cluster;
      ++better;
    }
    if (better != 1) jump = nullptr;
  } else if (seen.size() == 1) {
    jump = &seen.front();
  }
  there_ = followed || jump != nullptr;
  if (!there_) {
    lose();
    return last_;
  }
  if (jump != nullptr) valid_ = false;
  box_ = corrected(jump != nullptr ? jump->box : drawn(*followed));
  const Likeness like = like_at(box_);
  const bool found = jump != nullptr || is_confirmed();
  seen_ = {box_, {like.conservative, found, jump != nullptr ? std::nullopt : std::optional(signs)}};
  last_.confidence = next_confidence(seen_->signs, memory_);
  if (last_.confidence < kLostBelow) {
    last_.state = ObjectState::kLost;
  } else {
    last_.box = box_;
    last_.state = found ? ObjectState::kFound : ObjectState::kTracked;
  }
  if (valid_) learn(like, frame);
  return last_;
}

bool ObjectTracker::is_confirmed() const {
  return std::any_of(
      finds_.candidates.begin(), finds_.candidates.end(), [&](const ObjectCandidate& candidate) {
        return candidate.found && overlap_of(box_, frame_.to_frame(candidate.place)) > kSamePlace;
      });
}

void ObjectTracker::learn(const Likeness& like, Size frame) {
  const RealBox& box = box_;
  valid_ = like.relative >= kLeastRelative && like.conservative >= kLeastConservative &&
           like.other <= kMostOther &&
           variance_of(shrunk_at(frame_.level(), frame_.to_level(box))) >= object_.least_variance;
  const bool inside =
      box.x >= 0 && box.y >= 0 && box.x + box.width <= frame.width && box.y + box.height <= frame.height;
  if (valid_ && inside) learn_more(frame_, grid_, frame_.to_level(box), finds_, number_, object_);
}

}  // namespace winnow
