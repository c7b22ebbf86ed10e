// Finds the covers of faces in a video: a `Flow` carries faces to earlier and later frames, and `CoverPaths`
// keeps their boxes.
#include <winnow/face_covers.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include <winnow/error.h>
#include <winnow/flow.h>

#include "base/real_box.h"
#include "track/cover/carried_box.h"
#include "track/cover/cover_paths.h"
#include "track/cover/kept_greys.h"
#include "track/cover/scene_cuts.h"

namespace winnow {
namespace {

constexpr int kMostGap = 100'000, kMostLinger = 1'000, kMostSure = 1'000;

CoverOptions checked(const CoverOptions& options) {
  if (options.gap < 0 || options.gap > kMostGap)
    throw Error(ErrorCode::kUsage, "gap must be from 0 to 100000 frames");
  if (options.linger < 0 || options.linger > kMostLinger)
    throw Error(ErrorCode::kUsage, "linger must be from 0 to 1000 frames");
  if (options.sure < 1 || options.sure > kMostSure)
    throw Error(ErrorCode::kUsage, "a face is sure after 1 to 1000 searches");
  if (!(options.margin >= 0 && options.margin <= 1))
    throw Error(ErrorCode::kUsage, "the margin of covers must be a number from 0 to 1");
  if (options.memory < 0) throw Error(ErrorCode::kUsage, "the memory for frames must be 0 bytes or more");
  return options;
}

// The smallest box that holds a face's box and points.
RealBox hull_of(const Followed& face) {
  double left = face.box.x, top = face.box.y, right = left + face.box.width, bottom = top + face.box.height;
  for (const LandmarkPoint& point : face.shape.points) {
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    top = std::min(top, point.y);
    bottom = std::max(bottom, point.y);
  }
  return {left, top, right - left, bottom - top};
}

// Flow may let a box grow or shrink to this ratio of its side in the frame where it was followed last. A few
// wrong points in each of many frames would else make a box as large as the picture.
constexpr double kMostGrowth = 1.5;

RealBox held_near(const RealBox& box, double side) {
  const double now = side_of(box), held = std::clamp(now, side / kMostGrowth, side * kMostGrowth);
  const double part = now > 0 ? held / now : 1;
  return {middle_x(box) - part * box.width / 2, middle_y(box) - part * box.height / 2, part * box.width,
          part * box.height};
}

// One search is enough if it merged more windows than this. In videos for settings, false alarms had at most 16
// neighbours. A face that presence doubts had 61.
constexpr int kCertainNeighbors = 20;

// A lost face is carried on for `gap` frames. A frame does not count if the face is sure and its likeness
// there is at least `kLikeItself`: the face is visible, although no search finds it. A face is sure only if a
// search gave it a presence of `kSurePresence`. Otherwise a false alarm that stands still would be carried on
// for ever. Presences between searches do not count: the greatest of so many would make most false alarms
// sure.
constexpr double kLikeItself = 0.6, kSurePresence = 0.5;

// Flow may carry a new face back over many frames, to within the gap after an earlier path's end. So with
// `whole`, that end can still be joined for this many frames more than the gap.
constexpr int kRemember = 1'000;

CoverRules rules_of(const CoverOptions& options) {
  CoverRules rules;
  rules.gap = options.gap;
  rules.linger = options.linger;
  rules.sure = options.sure;
  rules.patience = options.linger;
  rules.live = !options.whole;
  rules.remember = options.whole ? options.gap + kRemember : 0;
  return rules;
}

// A scene is new once it lasts for as many frames as a face lingers. A flash or a hand is shorter.
int cut_frames(const CoverOptions& options) { return std::max(options.linger, 1); }

// Whether a face is carried over this many frames: 1, 2, 3, 4, 6, 8, 12, ... Frames further than 1 away are
// tried if flow cannot carry the face to the next frame.
bool is_tried(std::int64_t frames) {
  const std::int64_t part = frames % 3 == 0 ? frames / 3 : frames;
  return std::has_single_bit(static_cast<std::uint64_t>(part));
}

}  // namespace

struct FaceCovers::State {
  // A face that the follower has, or a face that the follower lost and that flow still carries.
  struct Carried {
    int id, path;
    bool lost = false;
    // The last frame in which the follower had the face, or in which the face, if sure, looked like itself.
    std::int64_t seen_at = 0;
    bool sure = false;
    CarriedBox face;
    RealBox found{}, core{};  // the box with and without points, when the follower had the face last
    std::int64_t at = 0;      // the frame that the face's points lie in
    // The face one frame before `at`. When flow loses a face, the follower moves the face on for one more
    // frame. So the last frame before a loss may not show the face.
    CarriedBox before{};
  };

  CoverOptions options;
  Flow flow;
  FlowOptions carrying{.back = true};
  KeptGreys greys;
  CoverPaths paths;
  SceneCuts cuts;
  std::vector<Carried> faces;
  bool finished = false;
  Size size{};
  std::deque<Size> sizes;  // sizes of the frames whose boxes were not given yet
  std::vector<CoverPaths::Given> given;
  std::vector<FaceCover> covers;
  std::vector<LandmarkPoint> points;
  std::vector<FlowPoint> flown;
  std::int64_t in_flow = -1;  // the number of the frame that `flow` keeps; negative for none
  CarryScratch scratch;
  std::vector<int> closed;

  State(const CoverOptions& given_options, const MachineOptions& machine)
      : options(checked(given_options)),
        flow(machine),
        greys(options.memory,
              options.whole ? SIZE_MAX : std::max<std::size_t>(2, static_cast<std::size_t>(options.gap) + 1)),
        paths(rules_of(options)),
        cuts(cut_frames(options)) {}

  // Carries faces from one kept frame to another. Returns the faces that flow finds there. `from` and `to`
  // count back from the newest frame, which is 0.
  std::vector<Carried*> carry(std::span<Carried* const> some, std::size_t from, std::size_t to) {
    points.clear();
    for (const Carried* each : some)
      for (const PointPlace& place : each->face.points) points.push_back({place.x, place.y});
    if (in_flow != paths.newest() - static_cast<std::int64_t>(from)) {
      flow.forget();
      flow.next(greys.back(from), {}, carrying, flown);
    }
    flow.next(greys.back(to), points, carrying, flown);
    in_flow = paths.newest() - static_cast<std::int64_t>(to);
    std::vector<Carried*> there;
    std::size_t at = 0;
    for (Carried* each : some) {
      const std::span<const FlowPoint> mine = std::span(flown).subspan(at, each->face.points.size());
      at += mine.size();
      if (carry_box(each->face, mine, greys.back(to), scratch)) {
        each->face.box = held_near(each->face.box, side_of(each->found));
        there.push_back(each);
      }
    }
    return there;
  }

  // The core has the place in the box that it had when the follower had the face.
  static CoverPaths::Place carried_place(const Carried& each) {
    const RealBox& box = each.face.box;
    const double x = box.width / each.found.width, y = box.height / each.found.height;
    const RealBox core{box.x + x * (each.core.x - each.found.x), box.y + y * (each.core.y - each.found.y),
                       x * each.core.width, y * each.core.height};
    return {box, core, false, true};
  }

  // Whether flow lost this face, so that the follower only moved the box on as before. Such a box may lie
  // beside the face.
  static bool coasts(const Carried& each, const Followed& face, const Look& look) {
    return face.state == FaceState::kTracked && likeness_of(look, each.face.look) < kCoverLikeness;
  }

  // Takes the follower's answer for this frame. Appends the faces that begin to `begun`.
  void take(GrayView frame, std::span<const Followed> followed, std::vector<Carried>& begun) {
    for (Carried& each : faces) {
      const bool here = std::any_of(followed.begin(), followed.end(), [&](const Followed& face) {
        return face.id == each.id && face.state != FaceState::kLost;
      });
      if (each.lost || here) continue;
      each.lost = true;
      paths.end(each.path);
      if (each.before.points.empty()) continue;
      each.face = std::move(each.before);
      --each.at;
    }
    for (const Followed& face : followed) {
      if (face.state == FaceState::kLost) continue;
      const RealBox box = hull_of(face);
      auto here = std::find_if(faces.begin(), faces.end(),
                               [&](const Carried& each) { return !each.lost && each.id == face.id; });
      Carried* to = here != faces.end() ? &*here : nullptr;
      if (to != nullptr && coasts(*to, face, look_at(frame, box))) {
        paths.linger(to->path, box);
        continue;
      }
      const bool found = face.state == FaceState::kFound;
      const RealBox core = real_box(face.box);
      const bool likely = face.shape.presence < 0 || face.shape.presence >= kSurePresence;
      CoverPaths::Place place{box, core, found, likely};
      place.certain = face.neighbors > kCertainNeighbors;
      if (to != nullptr) {
        paths.extend(to->path, place);
      } else {
        to = &begun.emplace_back(Carried{face.id, paths.begin(face.id, place), false, 0, false, {}});
      }
      to->seen_at = paths.newest();
      if (found) to->sure = to->sure || face.shape.presence >= kSurePresence;
      to->at = paths.newest();
      to->before = to->face;
      to->face.box = box;
      to->found = box;
      to->core = core;
      if (found || here == faces.end()) to->face.look = look_at(frame, box);
      to->face.points.clear();
      for (const LandmarkPoint& point : face.shape.points) to->face.points.push_back({point.x, point.y});
    }
  }

  // Carries each face that the follower lost to the newest frame, from the last frame in which the follower
  // or flow found the face.
  void carry_on() {
    std::erase_if(faces, [&](const Carried& each) {
      return each.lost && (!paths.has(each.path) || paths.newest() - each.seen_at > options.gap);
    });
    std::map<std::int64_t, std::vector<Carried*>> groups;
    for (Carried& each : faces)
      if (each.lost) groups[paths.newest() - each.at].push_back(&each);
    for (const auto& [back, some] : groups) {
      if (static_cast<std::size_t>(back) >= greys.size() || !is_tried(back)) continue;
      for (Carried* each : carry(some, static_cast<std::size_t>(back), 0)) {
        paths.extend(each->path, carried_place(*each));
        each->at = paths.newest();
        if (each->sure && each->face.likeness >= kLikeItself) each->seen_at = paths.newest();
      }
    }
  }

  // Carries faces that begin in the newest frame to earlier frames, one after the other. If flow does not
  // find a face in one frame, it still looks for the face in earlier frames.
  void carry_back(std::vector<Carried>& begun) {
    struct Group {
      std::size_t back;
      std::vector<Carried*> faces;
    };
    std::vector<Group> groups(1);
    for (Carried& each : begun) groups[0].faces.push_back(&each);
    const std::int64_t pending = paths.newest() - paths.oldest();
    while (!groups.empty()) {
      Group group = std::move(groups.back());
      groups.pop_back();
      for (std::size_t to = group.back + 1; !group.faces.empty(); ++to) {
        const auto reach = static_cast<std::int64_t>(to);
        if (to >= greys.size() || reach > pending ||
            to - group.back > static_cast<std::size_t>(options.gap) + 1)
          break;
        std::erase_if(group.faces, [&](const Carried* each) {
          return paths.meets_itself(each->path) || paths.doubles_another(each->path) ||
                 (to > group.back + 1 && paths.can_join(each->path));
        });
        if (group.faces.empty()) break;
        if (!is_tried(reach - static_cast<std::int64_t>(group.back))) continue;
        std::vector<Carried*> there = carry(group.faces, group.back, to);
        if (there.empty()) continue;
        for (const Carried* each : there) {
          paths.extend_back(each->path, paths.newest() - reach, carried_place(*each));
          std::erase(group.faces, each);
        }
        groups.push_back({to, std::move(there)});
      }
    }
  }

  void add(GrayView frame, std::span<const Followed> followed) {
    if (!frame.empty() && frame.size() != size) {
      paths.forget_paths();
      faces.clear();
      size = frame.size();
    }
    greys.keep(frame);
    paths.add_frame();
    if (options.whole)
      if (const auto cut = cuts.add(frame)) paths.cut(*cut);
    sizes.push_back(frame.size());
    std::vector<Carried> begun;
    take(frame, followed, begun);
    carry_on();
    std::vector<Carried> at_begin;
    for (const Carried& each : begun) at_begin.push_back(each);
    carry_back(begun);
    for (const Carried& each : begun) paths.join(each.path);
    for (Carried& each : at_begin) faces.push_back(std::move(each));
    closed.clear();
    for (const Carried& each : faces)
      if (!each.lost) paths.close(each.face.box, closed);
    std::erase_if(faces, [&](const Carried& each) {
      return each.lost && std::find(closed.begin(), closed.end(), each.path) != closed.end();
    });
    paths.finish_frame();
  }

  // Widens the box by the margin, rounds outwards to whole pixels, and clips to the frame.
  Box widened(const RealBox& box, Size frame) const {
    const double x = box.width * options.margin, y = box.height * options.margin;
    const auto whole = [](double value, int most) {
      return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
    };
    const int left = whole(std::floor(box.x - x), frame.width),
              top = whole(std::floor(box.y - y), frame.height);
    return {left, top, whole(std::ceil(box.x + box.width + x), frame.width) - left,
            whole(std::ceil(box.y + box.height + y), frame.height) - top};
  }
};

FaceCovers::FaceCovers(const CoverOptions& options, const MachineOptions& machine)
    : state_(std::make_unique<State>(options, machine)) {}
FaceCovers::~FaceCovers() = default;
FaceCovers::FaceCovers(FaceCovers&&) noexcept = default;
FaceCovers& FaceCovers::operator=(FaceCovers&&) noexcept = default;

BackendKind FaceCovers::backend() const { return state_->flow.backend(); }
std::string FaceCovers::note() const { return state_->flow.note(); }
int FaceCovers::threads() const { return state_->flow.threads(); }

void FaceCovers::add(GrayView frame, std::span<const Followed> faces) {
  if (state_->finished) throw Error(ErrorCode::kUsage, "a frame after the end of the video; restart first");
  try {
    state_->add(frame, faces);
  } catch (...) {
    restart();  // after a frame that was only half taken in, no next frame can follow
    throw;
  }
}

void FaceCovers::finish() { state_->finished = true; }

bool FaceCovers::next(std::vector<FaceCover>& covers) {
  State& s = *state_;
  covers.clear();
  const std::int64_t behind = s.paths.newest() - s.paths.oldest();
  if (s.sizes.empty() || (!s.finished && (s.options.whole || behind < s.options.gap))) return false;
  s.paths.give(s.given);
  for (const CoverPaths::Given& each : s.given) {
    const Box wide = s.widened(each.box, s.sizes.front());
    if (wide.width > 0 && wide.height > 0) covers.push_back({wide, each.path, each.searches, each.reason});
  }
  s.sizes.pop_front();
  std::sort(covers.begin(), covers.end(), [](const FaceCover& a, const FaceCover& b) {
    return std::tuple(a.box, a.reason, a.path) < std::tuple(b.box, b.reason, b.path);
  });
  return true;
}

bool FaceCovers::next(std::vector<Box>& boxes) {
  State& s = *state_;
  boxes.clear();
  if (!next(s.covers)) return false;
  for (const FaceCover& each : s.covers) boxes.push_back(each.box);
  boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
  return true;
}

void FaceCovers::restart() {
  State& s = *state_;
  s.paths = CoverPaths(rules_of(s.options));
  s.cuts = SceneCuts(cut_frames(s.options));
  s.greys.clear();
  s.flow.forget();
  s.in_flow = -1;
  s.faces.clear();
  s.sizes.clear();
  s.size = {};
  s.finished = false;
}

}  // namespace winnow
