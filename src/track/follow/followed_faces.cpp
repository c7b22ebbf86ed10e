#include "track/follow/followed_faces.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/real_box.h"

namespace winnow {
namespace {

// The least overlap of a carried face with a found box of the same face.
constexpr double kLeastOverlap = 0.3;
// Flow loses a face if fewer than half of its points hold, or if its likeness to its look is below 0.4. Then
// the face is hidden, or flow has left it.
constexpr CarryRule kCarryRule{0.5, 0.4};
// A face that tilts soon looks unlike itself. If recent fits are sure of the face, a lower likeness is enough.
constexpr double kSurePresence = 0.5, kLeastSure = 0.2;
// A found box is taken for a lost face if it looks like the face and is near the place to which the face was
// going. If it looks very much like the face, it may be anywhere.
constexpr double kLeastLike = 0.3, kLeastVeryLike = 0.65;
// The most looks that are kept of a face. Several are needed, since some may show the face half hidden.
constexpr std::size_t kMostLooks = 8;
// Two faces that overlap by more than this are one face.
constexpr double kDouble = 0.6;
// A face that flow carries is lost if more searches in a row than this do not find it. The second number is
// for a face whose recent fits say that no face is there.
constexpr int kMostAlone = 3, kMostAloneDoubted = 1;
constexpr double kPresenceShare = 0.125;  // the weight of the newest fit in a face's mean presence
constexpr double kSpeedShare = 0.3;       // the weight of the newest step in a face's speed

double nearness_of(const KeptFace& face, const RealBox& box) {
  const double frames = face.gone - 1;  // `face.box` lies where the face was to be in the frame that lost it
  return nearness_of(face.box, face.speed_x, face.speed_y, frames, box);
}

}  // namespace

void FollowedFaces::points(std::vector<PointPlace>& list, std::vector<RealBox>& boxes) const {
  list.clear();
  boxes.clear();
  for (const KeptFace& face : faces_) {
    if (face.gone > 0) continue;
    list.insert(list.end(), face.points.begin(), face.points.end());
    boxes.push_back(face.box);
  }
}

bool FollowedFaces::wants_search() const {
  if (is_due(frame_, lost_ago_) || asked_) return true;
  return rules_.until_found &&
         std::none_of(faces_.begin(), faces_.end(), [](const KeptFace& face) { return face.gone == 0; });
}

void FollowedFaces::lose(KeptFace& face) {
  face.state = KeptFace::State::kLost;
  face.gone = 1;
  face.by_flow = false;
  lost_ago_ = std::min(lost_ago_, 1);  // 1, because this frame is searched already
}

// Moves a face on at its speed.
void FollowedFaces::coast(KeptFace& face) {
  face.box.x += face.speed_x;
  face.box.y += face.speed_y;
  for (PointPlace& point : face.points) point = {point.x + face.speed_x, point.y + face.speed_y};
}

// Moves a face with its points. False if flow lost it.
bool FollowedFaces::carry_on(KeptFace& face, std::span<const FlowPoint> points, GrayView frame) {
  const double x = middle_x(face.box), y = middle_y(face.box);
  CarryRule rule = kCarryRule;
  if (rules_.presence_counts && face.presence >= kSurePresence) rule.least_same = kLeastSure;
  if (!carry_face(face.box, face.points, face.looks.back(), points, frame, rule, scratch_)) return false;
  face.speed_x += kSpeedShare * (middle_x(face.box) - x - face.speed_x);
  face.speed_y += kSpeedShare * (middle_y(face.box) - y - face.speed_y);
  return true;
}

void FollowedFaces::carry(std::span<const FlowPoint> carried, GrayView frame, bool begins) {
  // A face that was missing for more frames than the gap is forgotten before it could return.
  std::erase_if(faces_, [&](const KeptFace& face) { return face.gone - face.by_flow > rules_.gap; });
  only_asked_ = asked_ && !begins && !is_due(frame_, lost_ago_);
  ++frame_;
  lost_ago_ = begins ? 1 : std::min(lost_ago_ + 1, kSearchOn);
  asked_ = false;
  std::size_t at = 0;
  int number = 0;
  for (KeptFace& face : faces_) {
    face.seen = face.carried = -1;
    face.fitted.clear();
    face.coasts = face.gone == 1 && face.state == KeptFace::State::kTracked;
    face.shown = face.gone == 0 || face.coasts;
    if (face.gone > 0) {
      ++face.gone;
      face.state = KeptFace::State::kLost;
    } else if (begins) {
      coast(face);
      lose(face);
    } else {
      const std::span<const FlowPoint> mine = carried.subspan(at, face.points.size());
      at += face.points.size();
      face.state = KeptFace::State::kTracked;
      face.carried = number++;
      if (carry_on(face, mine, frame)) continue;
      coast(face);
      face.gone = 1;
      face.by_flow = true;
      lost_ago_ = 0;
    }
  }
}

void FollowedFaces::take(KeptFace& face, const SeenFace& seen, int index, const FaceLook& look) {
  face.state = KeptFace::State::kFound;
  face.seen = index;
  face.box = seen.box;
  if (face.looks.size() == kMostLooks) face.looks.erase(face.looks.begin());
  face.looks.push_back(look);
  const bool was_there = face.gone == 0 && face.carried >= 0;
  if (was_there && rules_.points != PointRule::kCarry) {
    face.fitted.assign(seen.points.begin(), seen.points.end());
  } else {
    face.points.assign(seen.points.begin(), seen.points.end());
    face.blends.clear();
  }
  face.presence += (was_there ? kPresenceShare : 1) * (seen.presence - face.presence);
  face.alone = 0;
  face.gone = 0;
  face.shown = true;
}

void FollowedFaces::meet(std::span<const SeenFace> seen, GrayView frame) {
  std::vector<bool> taken(seen.size());
  std::vector<FaceLook> looks;
  for (const SeenFace& each : seen) looks.push_back(look_at(frame, each.box));
  // Pairs faces with boxes that no face has yet. `fit_of` is above 0 for a possible pair. If `sure` is set,
  // takes only sure boxes.
  const auto pair = [&](bool sure, auto fit_of) {
    std::vector<double> fits;
    for (const KeptFace& face : faces_)
      for (std::size_t i = 0; i < seen.size(); ++i)
        fits.push_back(face.seen >= 0 || taken[i] || (sure && !seen[i].sure) ? 0 : fit_of(face, i));
    for (const Claim& claim : claims_of(fits, seen.size(), 0)) {
      KeptFace& face = faces_[claim.face];
      if (face.gone > 1 && !face.coasts) {  // it was given as lost
        face.speed_x = face.speed_y = 0;
        face.filters.clear();
      }
      take(face, seen[claim.box], static_cast<int>(claim.box), looks[claim.box]);
      taken[claim.box] = true;
    }
  };
  const auto here = [&](const KeptFace& face, std::size_t i) {
    if (face.gone > 0) return 0.0;
    const double overlap = overlap_of(face.box, seen[i].box);
    return overlap < kLeastOverlap ? 0 : overlap + likeness_of(face.looks.back(), looks[i]) / 2;
  };
  pair(true, here);
  pair(false, here);
  std::vector<std::vector<FaceLook>> around(seen.size());
  pair(true, [&](const KeptFace& face, std::size_t i) {
    if (face.gone == 0) return 0.0;
    if (around[i].empty()) looks_around(frame, seen[i].box, around[i]);
    const double nearness = nearness_of(face, seen[i].box), likeness = likeness_of(face.looks, around[i]);
    const bool returns = likeness >= (nearness > 0 ? kLeastLike : kLeastVeryLike);
    return returns ? std::max(nearness, 0.0) + likeness : 0;
  });
  for (KeptFace& face : faces_) {
    if (face.gone > 0 || face.seen >= 0) continue;
    if (stays(face)) continue;
    if (++face.alone > (is_doubted(face) ? kMostAloneDoubted : kMostAlone)) lose(face);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (taken[i] || !seen[i].sure) continue;
    KeptFace& face = faces_.emplace_back();
    face.id = ++last_id_;
    take(face, seen[i], static_cast<int>(i), looks[i]);
  }
  drop_doubles();
}

void FollowedFaces::fit(std::size_t face, std::span<const PointPlace> points, double presence) {
  KeptFace& to = faces_[face];
  to.fitted.assign(points.begin(), points.end());
  to.presence += kPresenceShare * (presence - to.presence);
  if (presence >= rules_.ask_below || frame_ - to.asked < kAskEvery) return;
  to.asked = frame_;
  asked_ = true;
}

// Loses a face that the search did not find, if a found face or an older face is at its place.
void FollowedFaces::drop_doubles() {
  for (KeptFace& face : faces_) {
    if (face.gone > 0 || face.seen >= 0 || stays(face)) continue;
    const bool is_double = std::any_of(faces_.begin(), faces_.end(), [&](const KeptFace& other) {
      return &other != &face && other.gone == 0 && overlap_of(other.box, face.box) > kDouble &&
             (other.seen >= 0 || other.id < face.id);
    });
    if (is_double) lose(face);
  }
}

// Moves the points from where flow carried them to where they are shown, and from where flow goes on.
void FollowedFaces::place_points(KeptFace& face) const {
  if (rules_.points == PointRule::kFit) {
    face.points = face.fitted;
    return;
  }
  face.blends.resize(face.points.size());
  const double side = std::max(1.0, side_of(face.box));
  for (std::size_t i = 0; i < face.points.size(); ++i)
    face.points[i] = face.blends[i].next(face.points[i], face.fitted[i], side);
}

void FollowedFaces::finish() {
  for (KeptFace& face : faces_) {
    if (!face.fitted.empty()) place_points(face);
    if (face.shown && face.state != KeptFace::State::kLost) show(face);
  }
}

void FollowedFaces::show(KeptFace& face) {
  face.shown_box = face.box;
  face.shown_points = face.points;
  if (!(rules_.smooth > 0)) return;
  constexpr double kStill = 0.02;  // the cutoff of a still coordinate at the strongest smoothing
  const SteadyRule rule{kStill + (1 - rules_.smooth) * 0.5, 20};
  const std::size_t wanted = 4 + 2 * face.points.size();
  if (face.filters.size() != wanted) face.filters.assign(wanted, {});
  const double side = std::max(1.0, side_of(face.box));
  std::size_t at = 0;
  const auto steady = [&](double& value) { value = face.filters[at++].next(value, side, rule); };
  RealBox& box = face.shown_box;
  double right = box.x + box.width, bottom = box.y + box.height;
  steady(box.x);
  steady(box.y);
  steady(right);
  steady(bottom);
  box.width = right - box.x;
  box.height = bottom - box.y;
  for (PointPlace& point : face.shown_points) {
    steady(point.x);
    steady(point.y);
  }
}

void FollowedFaces::restart() { *this = FollowedFaces(rules_); }

}  // namespace winnow
