#include "track/cover/cover_paths.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>

#include "base/real_box.h"
#include "track/follow/claims.h"

namespace winnow {
namespace {

// The least overlap of two boxes that are at the same place.
constexpr double kSamePlace = 0.3;
// Two paths cover one face if their boxes overlap by `kDouble` in `kDoubleFrames` neighbouring frames.
constexpr double kDouble = 0.6;
constexpr int kDoubleFrames = 15;
// Frames over which a speed is measured.
constexpr int kSpeedFrames = 5;
// A cover is stretched by at most this many sides of the face. Live covers are wider, since no later search
// says where the face is.
constexpr double kMostStretch = 1, kMostLiveStretch = 1.5;

// A face holds no other face of less than this fraction of its side.
constexpr double kMuchSmaller = 0.5;
constexpr int kMuchSurer = 4;  // a surer face was found by more than so many times the searches
// Around a smaller face lie its head and shoulders, and below it its chest. Then the middle of the smaller face
// lies in the middle half of the box's width, and not below the box. It may lie above the box by 3/4 of a side.
// The smaller face was found by more than so many times the searches.
constexpr int kMuchOftener = 3;
constexpr double kMiddleHalf = 0.25, kAboveChest = 0.75;

constexpr double kAnyFit = 1e-9;  // the least fit of two paths of one face, even if they lie far apart

RealBox moved(const RealBox& box, double x, double y) {
  return {box.x + x, box.y + y, box.width, box.height};
}

bool holds_middle(const RealBox& box, const RealBox& other) {
  const double x = middle_x(other) - box.x, y = middle_y(other) - box.y;
  return x >= 0 && y >= 0 && x <= box.width && y <= box.height;
}

// Whether the box may hold what is around a face, or the chest below.
bool may_be_around(const RealBox& box, const RealBox& face) {
  const double x = middle_x(face) - middle_x(box), y = middle_y(face) - box.y;
  return std::abs(x) <= kMiddleHalf * box.width && y >= -kAboveChest * box.height && y <= box.height;
}

RealBox hull_of(const RealBox& a, const RealBox& b) {
  const double left = std::min(a.x, b.x), top = std::min(a.y, b.y);
  return {left, top, std::max(a.x + a.width, b.x + b.width) - left,
          std::max(a.y + a.height, b.y + b.height) - top};
}

RealBox between(const RealBox& a, const RealBox& b, double part) {
  const auto mix = [part](double from, double to) { return from + (to - from) * part; };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.width, b.width), mix(a.height, b.height)};
}

// A cover lies some frames from the nearest frame in which the face has a box. For each of these frames all
// four edges move out by `kSpread` of the face's side, together by at most `kMostSpread` of it.
constexpr double kSpread = 0.01, kMostSpread = 0.1, kLiveSpread = 0.02, kMostLiveSpread = 0.25;

RealBox spread(const RealBox& box, double frames, bool live) {
  const double edge = side_of(box) * (live ? std::min(kLiveSpread * frames, kMostLiveSpread)
                                           : std::min(kSpread * frames, kMostSpread));
  return {box.x - edge, box.y - edge, box.width + 2 * edge, box.height + 2 * edge};
}

// Stretches the box in the direction of (x, y) by the length of (x, y), but by at most `kMostStretch` sides.
RealBox stretched(const RealBox& box, double x, double y, bool live) {
  const double most = (live ? kMostLiveStretch : kMostStretch) * side_of(box),
               length = std::sqrt(x * x + y * y);
  const double part = length > most ? most / length : 1;
  return hull_of(box, moved(box, x * part, y * part));
}

}  // namespace

CoverPaths::Path& CoverPaths::find(int path) {
  return *std::find_if(paths_.begin(), paths_.end(),
                       [path](const Path& each) { return each.number == path; });
}

bool CoverPaths::has(int path) const {
  return std::any_of(paths_.begin(), paths_.end(), [path](const Path& each) { return each.number == path; });
}

void CoverPaths::cover(std::int64_t frame, const Path& path, CoverReason reason, const RealBox& box,
                       const RealBox& plain, std::optional<std::int64_t> from) {
  if (frame < std::max(given_, first_of_size_) || frame > newest()) return;
  frames_[static_cast<std::size_t>(frame - given_)].push_back(
      {path.number, reason, box, plain, path.evidence, from.value_or(frame)});
}

const RealBox* CoverPaths::box_at(std::int64_t frame, int path) const {
  if (frame < given_ || frame > newest()) return nullptr;
  for (const Cover& each : frames_[static_cast<std::size_t>(frame - given_)])
    if (each.path == path && each.is_place()) return &each.box;
  return nullptr;
}

int CoverPaths::begin(int face, const Place& place) {
  const int number = ++last_number_;
  paths_.push_back({number, face, SharedEvidence(number, static_cast<std::size_t>(rules_.sure), !rules_.live),
                    newest(), newest(), place.box, place.box, place.core, place.core});
  take(paths_.back(), place);
  return number;
}

void CoverPaths::take(const Path& path, const Place& place) {
  FaceEvidence& face = path.evidence.face();
  face.lies_in(newest());
  if (place.found) face.found({newest(), place.core, place.likely, place.certain});
  cover(newest(), path, place.found ? CoverReason::kFound : CoverReason::kCarried, place.box, place.core);
}

void CoverPaths::extend(int path, const Place& place) {
  Path& to = find(path);
  if (newest() > to.last + 1) {
    stop_lingering(to);
    const auto speed = speed_at(to, true);
    fill(to, {to.last, to.last_box, speed}, {newest(), place.box, speed});
  }
  to.last = newest();
  to.last_box = place.box;
  to.last_core = place.core;
  take(to, place);
}

void CoverPaths::extend_back(int path, std::int64_t frame, const Place& place) {
  Path& to = find(path);
  if (frame + 1 < to.first) {
    const auto speed = speed_at(to, false);
    fill(to, {frame, place.box, speed}, {to.first, to.first_box, speed});
  }
  to.first = frame;
  to.first_box = place.box;
  to.first_core = place.core;
  to.evidence.face().lies_in(frame);
  cover(to.first, to, CoverReason::kCarried, place.box, place.core);
}

void CoverPaths::linger(int path, const RealBox& box) {
  Path& to = find(path);
  to.maybe = newest();
  cover(newest(), to, CoverReason::kLingering, box, box, to.last);
}

void CoverPaths::end(int path) {
  Path& to = find(path);
  to.ended = true;
  to.evidence.face().followed = false;
  to.end = to.last;
  to.end_box = to.last_box;
}

bool CoverPaths::meets(const Path& end, const Path& path) const {
  const RealBox* there = box_at(path.first, end.number);
  return there != nullptr && overlap_of(*there, path.first_box) >= kSamePlace;
}

bool CoverPaths::meets_itself(int number) const {
  const Path& path = find(number);
  return std::any_of(paths_.begin(), paths_.end(), [&](const Path& end) {
    return end.ended && end.face == path.face && (end.end >= path.first || meets(end, path));
  });
}

bool CoverPaths::doubles_another(int number) const {
  const Path& path = find(number);
  if (path.first < given_ || path.last - path.first + 1 < kDoubleFrames) return false;
  const auto lies_there = [&](int other) {
    for (std::int64_t frame = path.first; frame < path.first + kDoubleFrames; ++frame) {
      const RealBox *mine = box_at(frame, number), *theirs = box_at(frame, other);
      if (mine == nullptr || theirs == nullptr || overlap_of(*mine, *theirs) < kDouble) return false;
    }
    return true;
  };
  const std::vector<Cover>& covers = frames_[static_cast<std::size_t>(path.first - given_)];
  return std::any_of(covers.begin(), covers.end(), [&](const Cover& each) {
    return each.path != number && each.is_place() && lies_there(each.path);
  });
}

std::optional<CoverPaths::Speed> CoverPaths::speed_at(const Path& path, bool at_end) const {
  for (int frames = kSpeedFrames; frames > 0; --frames) {
    const RealBox& near = at_end ? path.last_box : path.first_box;
    const std::int64_t frame = at_end ? path.last - frames : path.first + frames;
    if (frame < path.first || frame > path.last) continue;
    const RealBox* far = box_at(frame, path.number);
    if (far == nullptr) continue;
    const double sign = at_end ? frames : -frames;
    return Speed{(middle_x(near) - middle_x(*far)) / sign, (middle_y(near) - middle_y(*far)) / sign};
  }
  return std::nullopt;
}

double CoverPaths::nearness(const Path& end, const Path& begin) const {
  const Speed speed = speed_at(end, true).value_or(Speed{});
  const double frames = static_cast<double>(begin.first - end.last);
  return nearness_of(end.last_box, speed.x, speed.y, frames, begin.first_box);
}

void CoverPaths::fill(const Path& path, const End& from, const End& to) {
  const double frames = static_cast<double>(to.frame - from.frame);
  const double x = (middle_x(to.box) - middle_x(from.box)) / frames,
               y = (middle_y(to.box) - middle_y(from.box)) / frames;
  const Speed leaves = from.speed.value_or(Speed{x, y}), comes = to.speed.value_or(Speed{x, y});
  for (std::int64_t frame = from.frame + 1; frame < to.frame; ++frame) {
    const double since = static_cast<double>(frame - from.frame), near = std::min(since, frames - since);
    const RealBox middle = between(from.box, to.box, since / frames);
    const RealBox box = hull_of(stretched(middle, (leaves.x - x) * near, (leaves.y - y) * near, rules_.live),
                                stretched(middle, (x - comes.x) * near, (y - comes.y) * near, rules_.live));
    cover(frame, path, CoverReason::kJoined, spread(box, near, rules_.live), middle);
  }
}

void CoverPaths::drop_lingering(const Path& path, std::int64_t frame) {
  std::erase_if(frames_[static_cast<std::size_t>(frame - given_)], [&](const Cover& each) {
    return each.path == path.number && each.reason == CoverReason::kLingering;
  });
}

// Drops the lingering boxes after the path's last frame: the boxes of `fill` take their place.
void CoverPaths::stop_lingering(const Path& path) {
  for (std::int64_t frame = std::max(given_, path.last + 1); frame <= newest(); ++frame)
    drop_lingering(path, frame);
}

const CoverPaths::Path* CoverPaths::partner_of(const Path& path) const {
  const Path* best = nullptr;
  double best_fit = 0;
  bool same = false;
  for (const Path& end : paths_) {
    if (!end.ended || end.number == path.number || end.first > path.first) continue;
    if (path.first - end.last - 1 > rules_.gap) continue;
    const bool is_same = end.face == path.face;
    double fit = 0;
    if (end.last >= path.first) {  // both reach the first frame of `path`, so they must meet there
      fit = meets(end, path) ? 2 : 0;
    } else {
      fit = std::max(nearness(end, path), 0.0);
    }
    if (is_same) fit = std::max(fit, kAnyFit);
    if (fit <= 0 || (same && !is_same) || (same == is_same && fit <= best_fit)) continue;
    best = &end;
    best_fit = fit;
    same = is_same;
  }
  return best;
}

void CoverPaths::join(int number) {
  Path& path = find(number);
  if (const Path* end = partner_of(path); end != nullptr) {
    stop_lingering(*end);
    path.evidence.join(end->evidence);
    const End begins{path.first, path.first_box, speed_at(path, false)};
    if (end->last < path.first) {
      fill(path, {end->last, end->last_box, speed_at(*end, true)}, begins);
    } else if (!meets(*end, path) && end->end < path.first) {  // flow carried `end` to a wrong place
      fill(path, {end->end, end->end_box, std::nullopt}, begins);
    }
    const int joined = end->number;
    std::erase_if(paths_, [joined](const Path& each) { return each.number == joined; });
    return;
  }
  path.alone = true;
  linger_before(path);
}

void CoverPaths::forget_paths() {
  paths_.clear();
  first_of_size_ = newest() + 1;
}

void CoverPaths::linger_before(const Path& path) {
  for (std::int64_t frame = std::max(given_, path.first - rules_.linger); frame < path.first; ++frame)
    drop_lingering(path, frame);
  const Speed speed = speed_at(path, false).value_or(Speed{});
  for (int frames = 1; frames <= rules_.linger; ++frames)
    cover(path.first - frames, path, CoverReason::kLingering,
          spread(stretched(path.first_box, -speed.x * frames, -speed.y * frames, rules_.live), frames,
                 rules_.live),
          path.first_box, path.first);
}

void CoverPaths::close(const RealBox& box, std::vector<int>& closed) {
  for (Path& path : paths_) {
    if (!path.ended || path.joined || path.last != newest()) continue;
    if (overlap_of(path.last_box, box) < kSamePlace) continue;
    path.joined = true;
    closed.push_back(path.number);
  }
}

void CoverPaths::finish_frame() {
  std::erase_if(paths_, [&](const Path& path) {
    return path.ended &&
           newest() - path.last_maybe() > std::max({rules_.gap, rules_.linger, rules_.remember});
  });
  for (Path& path : paths_) {
    if (path.alone && path.last - path.first >= kSpeedFrames) {  // now its speed is known: covers again
      path.alone = false;
      linger_before(path);
    }
    const std::int64_t since = newest() - path.last;
    if (!path.ended || path.joined || since < 1 || newest() - path.last_maybe() > rules_.linger) continue;
    const Speed speed = speed_at(path, true).value_or(Speed{});
    const double frames = static_cast<double>(since);
    cover(newest(), path, CoverReason::kLingering,
          spread(stretched(path.last_box, speed.x * frames, speed.y * frames, rules_.live), frames,
                 rules_.live),
          path.last_box, path.last);
  }
}

bool CoverPaths::is_no_face(const FaceEvidence& face) const {
  std::map<const FaceEvidence*, int>
      around;  // in how many searches of this face it may be around a smaller one
  for (const FaceEvidence::Search& search : face.kept()) {
    if (search.frame < given_) continue;
    std::set<const FaceEvidence*> here;
    for (const Cover& other : frames_[static_cast<std::size_t>(search.frame - given_)]) {
      const FaceEvidence& smaller = other.evidence.face();
      if (!other.is_place() || !smaller.is_sure() ||
          side_of(other.plain) >= kMuchSmaller * side_of(search.box))
        continue;
      if (!face.is_sure() && holds_middle(search.box, other.plain) &&
          smaller.searches() > kMuchSurer * face.searches())
        return true;
      if (may_be_around(search.box, other.plain)) here.insert(&smaller);
    }
    for (const FaceEvidence* smaller : here) ++around[smaller];
  }
  return std::any_of(around.begin(), around.end(), [&](const auto& each) {
    const auto& [smaller, searches] = each;
    return 2 * searches > face.searches() && smaller->found_during(face) > kMuchOftener * face.searches();
  });
}

bool CoverPaths::is_cut_off(const Cover& cover) const {
  const std::int64_t first = std::min(cover.from, given_), last = std::max(cover.from, given_);
  const auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), first);
  return cut != cuts_.end() && *cut <= last;
}

bool CoverPaths::is_needed(const Cover& cover) const {
  if (is_cut_off(cover)) return false;
  FaceEvidence& face = cover.evidence.face();
  if (rules_.live || face.kept().empty()) return true;
  if (!face.is_no_face) face.is_no_face = is_no_face(face);
  if (*face.is_no_face) return false;
  if (face.is_sure()) return true;
  // Later searches may still make the face sure.
  if (face.followed && newest() - face.kept().front().frame < rules_.patience) return true;
  const bool lingers = cover.reason == CoverReason::kLingering;
  return face.is_near(given_, lingers ? rules_.linger / 2 : rules_.linger);
}

void CoverPaths::give(std::vector<Given>& boxes) {
  boxes.clear();
  for (const Cover& each : frames_.front()) {
    if (!is_needed(each)) continue;
    const FaceEvidence& face = each.evidence.face();
    const bool all = rules_.live || face.is_sure() || face.kept().empty();
    boxes.push_back({all ? each.box : each.plain, face.number(), face.searches(), each.reason});
  }
  frames_.pop_front();
  ++given_;
}

}  // namespace winnow
