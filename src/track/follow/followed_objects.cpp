#include "track/follow/followed_objects.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/real_box.h"

namespace winnow {
namespace {

// The least overlap of a carried object with a found box of the same object.
constexpr double kLeastOverlap = 0.3;
// Flow loses an object if fewer than half of its points hold, or if its likeness to its look is below 0.4.
// Then the object is hidden, or flow has left it.
constexpr CarryRule kCarryRule{0.5, 0.4};
// An object that tilts soon looks unlike itself. If recent fits are sure of the object, a lower likeness is
// enough.
constexpr double kSurePresence = 0.5, kLeastSure = 0.2;
// A found box is taken for a lost object if it looks like the object and is near the place to which the
// object was going. If it looks very much like the object, it may be anywhere.
constexpr double kLeastLike = 0.3, kLeastVeryLike = 0.65;
// The most looks that are kept of an object. Several are needed, since some may show the object half hidden.
constexpr std::size_t kMostLooks = 8;
// Two objects that overlap by more than this are one object.
constexpr double kDouble = 0.6;
// An object that flow carries is lost if more searches in a row than this do not find it. The second number
// is for an object whose recent fits say that it is not there.
constexpr int kMostAlone = 3, kMostAloneDoubted = 1;
constexpr double kPresenceShare = 0.125;  // the weight of the newest fit in an object's mean presence
constexpr double kSpeedShare = 0.3;       // the weight of the newest step in an object's speed

double nearness_of(const KeptObject& object, const RealBox& box) {
  // `object.box` lies where the object was to be in the frame that lost it.
  const double frames = object.gone - 1;
  return nearness_of(object.box, object.speed_x, object.speed_y, frames, box);
}

}  // namespace

void FollowedObjects::points(std::vector<PointPlace>& list, std::vector<RealBox>& boxes) const {
  list.clear();
  boxes.clear();
  for (const KeptObject& object : objects_) {
    if (object.gone > 0) continue;
    list.insert(list.end(), object.points.begin(), object.points.end());
    boxes.push_back(object.box);
  }
}

bool FollowedObjects::wants_search() const {
  if (is_due(frame_, lost_ago_) || asked_) return true;
  return rules_.until_found && std::none_of(objects_.begin(), objects_.end(),
                                            [](const KeptObject& object) { return object.gone == 0; });
}

void FollowedObjects::lose(KeptObject& object) {
  object.state = KeptObject::State::kLost;
  object.gone = 1;
  object.by_flow = false;
  lost_ago_ = std::min(lost_ago_, 1);  // 1, because this frame is searched already
}

// Moves an object on at its speed.
void FollowedObjects::coast(KeptObject& object) {
  object.box.x += object.speed_x;
  object.box.y += object.speed_y;
  for (PointPlace& point : object.points) point = {point.x + object.speed_x, point.y + object.speed_y};
}

// Moves an object with its points. False if flow lost it.
bool FollowedObjects::carry_on(KeptObject& object, std::span<const FlowPoint> points, GrayView frame) {
  const double x = middle_x(object.box), y = middle_y(object.box);
  CarryRule rule = kCarryRule;
  if (rules_.presence_counts && object.presence >= kSurePresence) rule.least_same = kLeastSure;
  if (!carry_box(object.box, object.points, object.looks.back(), points, frame, rule, scratch_)) return false;
  object.speed_x += kSpeedShare * (middle_x(object.box) - x - object.speed_x);
  object.speed_y += kSpeedShare * (middle_y(object.box) - y - object.speed_y);
  return true;
}

void FollowedObjects::carry(std::span<const FlowPoint> carried, GrayView frame, bool begins) {
  // An object that was missing for more frames than the gap is forgotten before it could return.
  std::erase_if(objects_,
                [&](const KeptObject& object) { return object.gone - object.by_flow > rules_.gap; });
  only_asked_ = asked_ && !begins && !is_due(frame_, lost_ago_);
  ++frame_;
  lost_ago_ = begins ? 1 : std::min(lost_ago_ + 1, kSearchOn);
  asked_ = false;
  std::size_t at = 0;
  int number = 0;
  for (KeptObject& object : objects_) {
    object.seen = object.carried = -1;
    object.fitted.clear();
    object.coasts = object.gone == 1 && object.state == KeptObject::State::kTracked;
    object.shown = object.gone == 0 || object.coasts;
    if (object.gone > 0) {
      ++object.gone;
      object.state = KeptObject::State::kLost;
    } else if (begins) {
      coast(object);
      lose(object);
    } else {
      const std::span<const FlowPoint> mine = carried.subspan(at, object.points.size());
      at += object.points.size();
      object.state = KeptObject::State::kTracked;
      object.carried = number++;
      if (carry_on(object, mine, frame)) continue;
      coast(object);
      object.gone = 1;
      object.by_flow = true;
      lost_ago_ = 0;
    }
  }
}

void FollowedObjects::take(KeptObject& object, const SeenObject& seen, int index, const Look& look) {
  object.state = KeptObject::State::kFound;
  object.seen = index;
  object.box = seen.box;
  if (object.looks.size() == kMostLooks) object.looks.erase(object.looks.begin());
  object.looks.push_back(look);
  const bool was_there = object.gone == 0 && object.carried >= 0;
  if (was_there && rules_.points != PointRule::kCarry) {
    object.fitted.assign(seen.points.begin(), seen.points.end());
  } else {
    object.points.assign(seen.points.begin(), seen.points.end());
    object.blends.clear();
  }
  object.presence += (was_there ? kPresenceShare : 1) * (seen.presence - object.presence);
  object.alone = 0;
  object.gone = 0;
  object.shown = true;
}

void FollowedObjects::meet(std::span<const SeenObject> seen, GrayView frame) {
  std::vector<bool> taken(seen.size());
  std::vector<Look> looks;
  for (const SeenObject& each : seen) looks.push_back(look_at(frame, each.box));
  // Pairs objects with boxes that no object has yet. `fit_of` is above 0 for a possible pair. If `sure` is
  // set, takes only sure boxes.
  const auto pair = [&](bool sure, auto fit_of) {
    std::vector<double> fits;
    for (const KeptObject& object : objects_)
      for (std::size_t i = 0; i < seen.size(); ++i)
        fits.push_back(object.seen >= 0 || taken[i] || (sure && !seen[i].sure) ? 0 : fit_of(object, i));
    for (const Claim& claim : claims_of(fits, seen.size(), 0)) {
      KeptObject& object = objects_[claim.object];
      if (object.gone > 1 && !object.coasts) {  // it was given as lost
        object.speed_x = object.speed_y = 0;
        object.filters.clear();
      }
      take(object, seen[claim.box], static_cast<int>(claim.box), looks[claim.box]);
      taken[claim.box] = true;
    }
  };
  const auto here = [&](const KeptObject& object, std::size_t i) {
    if (object.gone > 0) return 0.0;
    const double overlap = overlap_of(object.box, seen[i].box);
    return overlap < kLeastOverlap ? 0 : overlap + likeness_of(object.looks.back(), looks[i]) / 2;
  };
  pair(true, here);
  pair(false, here);
  std::vector<std::vector<Look>> around(seen.size());
  pair(true, [&](const KeptObject& object, std::size_t i) {
    if (object.gone == 0) return 0.0;
    if (around[i].empty()) looks_around(frame, seen[i].box, around[i]);
    const double nearness = nearness_of(object, seen[i].box), likeness = likeness_of(object.looks, around[i]);
    const bool returns = likeness >= (nearness > 0 ? kLeastLike : kLeastVeryLike);
    return returns ? std::max(nearness, 0.0) + likeness : 0;
  });
  for (KeptObject& object : objects_) {
    if (object.gone > 0 || object.seen >= 0) continue;
    if (stays(object)) continue;
    if (++object.alone > (is_doubted(object) ? kMostAloneDoubted : kMostAlone)) lose(object);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (taken[i] || !seen[i].sure) continue;
    KeptObject& object = objects_.emplace_back();
    object.id = ++last_id_;
    take(object, seen[i], static_cast<int>(i), looks[i]);
  }
  drop_doubles();
}

void FollowedObjects::fit(std::size_t object, std::span<const PointPlace> points, double presence) {
  KeptObject& to = objects_[object];
  to.fitted.assign(points.begin(), points.end());
  to.presence += kPresenceShare * (presence - to.presence);
  if (presence >= rules_.ask_below || frame_ - to.asked < kAskEvery) return;
  to.asked = frame_;
  asked_ = true;
}

// Loses an object that the search did not find, if a found object or an older object is at its place.
void FollowedObjects::drop_doubles() {
  for (KeptObject& object : objects_) {
    if (object.gone > 0 || object.seen >= 0 || stays(object)) continue;
    const bool is_double = std::any_of(objects_.begin(), objects_.end(), [&](const KeptObject& other) {
      return &other != &object && other.gone == 0 && overlap_of(other.box, object.box) > kDouble &&
             (other.seen >= 0 || other.id < object.id);
    });
    if (is_double) lose(object);
  }
}

// Moves the points from where flow carried them to where they are shown, and from where flow goes on.
void FollowedObjects::place_points(KeptObject& object) const {
  if (rules_.points == PointRule::kFit) {
    object.points = object.fitted;
    return;
  }
  object.blends.resize(object.points.size());
  const double side = std::max(1.0, side_of(object.box));
  for (std::size_t i = 0; i < object.points.size(); ++i)
    object.points[i] = object.blends[i].next(object.points[i], object.fitted[i], side);
}

void FollowedObjects::finish() {
  for (KeptObject& object : objects_) {
    if (!object.fitted.empty()) place_points(object);
    if (object.shown && object.state != KeptObject::State::kLost) show(object);
  }
}

void FollowedObjects::show(KeptObject& object) {
  object.shown_box = object.box;
  object.shown_points = object.points;
  if (!(rules_.smooth > 0)) return;
  constexpr double kStill = 0.02;  // the cutoff of a still coordinate at the strongest smoothing
  const SteadyRule rule{kStill + (1 - rules_.smooth) * 0.5, 20};
  const std::size_t wanted = 4 + 2 * object.points.size();
  if (object.filters.size() != wanted) object.filters.assign(wanted, {});
  const double side = std::max(1.0, side_of(object.box));
  std::size_t at = 0;
  const auto steady = [&](double& value) { value = object.filters[at++].next(value, side, rule); };
  RealBox& box = object.shown_box;
  double right = box.x + box.width, bottom = box.y + box.height;
  steady(box.x);
  steady(box.y);
  steady(right);
  steady(bottom);
  box.width = right - box.x;
  box.height = bottom - box.y;
  for (PointPlace& point : object.shown_points) {
    steady(point.x);
    steady(point.y);
  }
}

void FollowedObjects::restart() { *this = FollowedObjects(rules_); }

}  // namespace winnow
