// Follows faces: a `FaceFinder` searches, a `Flow` carries, and `FollowedFaces` keeps them.
#include <winnow/follower.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <winnow/error.h>
#include <winnow/face_search.h>

#include "track/follow/followed_faces.h"

namespace winnow {
namespace {

constexpr int kMostGap = 100'000;
constexpr double kMostPlace = 1 << 28;  // of a box that is told
constexpr float kSurePresence = 0.5F;   // a face with less presence confirms a face, but begins none

FollowOptions checked(FollowOptions options) {
  if (options.detect_every < 1) throw Error(ErrorCode::kUsage, "detect_every must be 1 or more");
  if (options.gap < 0 || options.gap > kMostGap)
    throw Error(ErrorCode::kUsage, "gap must be from 0 to 100000 frames");
  if (options.search.raw || options.search.min_neighbors.value_or(1) < 1)
    throw Error(ErrorCode::kUsage, "faces are followed in merged boxes: min_neighbors must be 1 or more");
  if (!(options.smooth >= 0 && options.smooth <= 1))
    throw Error(ErrorCode::kUsage, "smooth must be a number from 0 to 1");
  return options;
}

FaceBox face_box(const Box& box) {
  return {static_cast<double>(box.x), static_cast<double>(box.y), static_cast<double>(box.width),
          static_cast<double>(box.height)};
}

Box whole_box(const FaceBox& box) {
  const auto whole = [](double value) {
    return static_cast<int>(std::lround(std::clamp(value, -kMostPlace, kMostPlace)));
  };
  return {whole(box.left), whole(box.top), std::max(1, whole(box.width)), std::max(1, whole(box.height))};
}

}  // namespace

const char* state_name(FaceState state) {
  static constexpr const char* kNames[] = {"found", "tracked", "lost"};
  return kNames[static_cast<int>(state)];
}

struct Follower::State {
  // What a search said of a face.
  struct Said {
    int id;
    double score;
    Shape shape;
  };

  FollowOptions options;
  // A face begins with more neighbours than these, and with enough presence if that counts.
  bool by_presence;
  int sure_neighbors;
  FaceFinder finder;
  Flow flow;
  FollowedFaces kept;
  FlowOptions carrying{.back = true};
  Size size{};
  std::vector<FacePlace> places;
  std::vector<LandmarkPoint> points;
  std::vector<FlowPoint> flown;
  std::vector<Detections> found;
  std::vector<std::vector<Shape>> shapes;
  std::vector<SeenFace> seen;
  std::vector<std::vector<FacePlace>> seen_points;
  std::vector<Said> said;

  State(DetectorModel model, Landmarks landmarks, FollowOptions given, const MachineOptions& machine)
      : options(checked(std::move(given))),
        by_presence(face_search(model, landmarks).min_confidence > 0),
        sure_neighbors(options.search.min_neighbors.value_or(model.search_defaults().min_neighbors)),
        finder(std::move(model), std::move(landmarks), machine),
        flow(machine),
        kept({options.detect_every, options.gap, options.smooth}) {
    if (by_presence && !options.search.min_neighbors) sure_neighbors = kFaceNeighbors;
    options.search.min_neighbors = 1;
  }

  void carry(GrayView frame) {
    kept.points(places);
    points.clear();
    for (const FacePlace& place : places) points.push_back({place.x, place.y});
    if (frame.size() != size || frame.empty()) flow.forget();
    size = frame.size();
    const bool carries = !frame.empty() && flow.next(frame, points, carrying, flown);
    if (!carries) flown.clear();
    kept.carry(flown, frame, !carries);
  }

  void search(const PictureView& frame) {
    finder.find({&frame, 1}, options.search, found, shapes);
    const std::vector<Detection>& objects = found.front().objects;
    seen.clear();
    seen_points.resize(std::max(seen_points.size(), objects.size()));
    for (std::size_t i = 0; i < objects.size(); ++i) {
      seen_points[i].clear();
      for (const LandmarkPoint& point : shapes.front()[i].points)
        seen_points[i].push_back({point.x, point.y});
      const bool sure = objects[i].neighbors > sure_neighbors &&
                        (!by_presence || shapes.front()[i].presence >= kSurePresence);
      seen.push_back({face_box(objects[i].box), sure, seen_points[i]});
    }
    kept.meet(seen, frame.gray);
    for (const KeptFace& face : kept.faces()) {
      if (face.seen < 0) continue;
      const auto at = static_cast<std::size_t>(face.seen);
      said_of(face.id) = {face.id, objects[at].score, std::move(shapes.front()[at])};
    }
  }

  Said& said_of(int id) {
    for (Said& each : said)
      if (each.id == id) return each;
    return said.emplace_back(Said{id, 0, {}});
  }

  void write(std::vector<Followed>& faces) {
    std::erase_if(said, [&](const Said& each) {
      return std::none_of(kept.faces().begin(), kept.faces().end(),
                          [&](const KeptFace& face) { return face.id == each.id; });
    });
    faces.clear();
    for (const KeptFace& face : kept.faces()) {
      if (!kept.shows(face)) continue;
      const Said& last = said_of(face.id);
      Followed& to = faces.emplace_back();
      to.id = face.id;
      to.state = static_cast<FaceState>(face.state);
      to.box = whole_box(face.shown_box);
      to.score = last.score;
      to.shape = last.shape;
      for (std::size_t i = 0; i < to.shape.points.size(); ++i)
        to.shape.points[i] = {face.shown_points[i].x, face.shown_points[i].y};
    }
  }
};

Follower::Follower(DetectorModel model, Landmarks landmarks, FollowOptions options,
                   const MachineOptions& machine)
    : state_(std::make_unique<State>(std::move(model), std::move(landmarks), std::move(options), machine)) {}
Follower::~Follower() = default;
Follower::Follower(Follower&&) noexcept = default;
Follower& Follower::operator=(Follower&&) noexcept = default;

BackendKind Follower::backend() const { return state_->finder.backend(); }
int Follower::threads() const { return state_->finder.threads(); }

std::vector<Followed> Follower::next(const PictureView& frame) {
  std::vector<Followed> faces;
  next(frame, faces);
  return faces;
}

void Follower::next(const PictureView& frame, std::vector<Followed>& faces) {
  State& s = *state_;
  try {
    s.carry(frame.gray);
    if (s.kept.wants_search()) {
      s.search(frame);
    } else {
      s.kept.pass();
    }
    s.write(faces);
  } catch (...) {
    restart();  // a frame that was taken by halves has no next
    throw;
  }
}

void Follower::restart() {
  state_->kept.restart();
  state_->flow.forget();
  state_->size = {};
  state_->said.clear();
}

}  // namespace winnow
