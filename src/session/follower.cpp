// Follows faces: a `MarkedSearch` searches, carries and fits, and `FollowedObjects` keeps them.
#include <winnow/follower.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include <winnow/face_search.h>

#include "backend/auto_backends.h"
#include "backend/auto_engine.h"
#include "base/real_box.h"
#include "session/follow_options.h"
#include "session/follow_rules.h"
#include "session/last_frame.h"
#include "session/marked_search.h"
#include "session/sure_face.h"
#include "track/flow/flow_rule.h"
#include "track/follow/followed_objects.h"

namespace winnow {
namespace {

constexpr double kMostPlace = 1 << 28;  // the largest coordinate of a box in an answer

FollowOptions checked(FollowOptions options) {
  check_following(options);
  check_followed_search(options.search);
  return options;
}

constexpr const char* kBetweenNames[] = {"steady", "fit", "carry"};

Box whole_box(const RealBox& box) {
  const auto whole = [](double value) {
    return static_cast<int>(std::lround(std::clamp(value, -kMostPlace, kMostPlace)));
  };
  return {whole(box.x), whole(box.y), std::max(1, whole(box.width)), std::max(1, whole(box.height))};
}

}  // namespace

const char* state_name(FaceState state) {
  static constexpr const char* kNames[] = {"found", "tracked", "lost"};
  return kNames[static_cast<int>(state)];
}

const char* between_name(Between between) { return kBetweenNames[static_cast<int>(between)]; }

Between parse_between(std::string_view name) {
  for (int i = 0; i < static_cast<int>(std::size(kBetweenNames)); ++i)
    if (name == kBetweenNames[i]) return static_cast<Between>(i);
  throw Error(ErrorCode::kUsage, "between is steady, fit or carry, not '" + std::string(name) + "'");
}

// The state of one video.
struct FollowedVideo {
  // Score and neighbours of the search that last found a face, and the face's last fitted shape.
  struct Said {
    int id;
    double score;
    int neighbors;
    Shape shape;
  };

  FollowedObjects kept;
  Size size = {};  // of the previous frame; 0 x 0 if flow keeps no frame
  std::vector<Said> said = {};
  // All that follows belongs to the current frame.
  std::vector<PointPlace> places = {};
  std::vector<RealBox> boxes = {};
  std::vector<FlowPlace> points = {};
  std::vector<FlowResult> flown = {};
  PictureShapes fits = {};
  const MarkedSearch* by = nullptr;  // the engine that has the frame before; null: none; never dereferenced
  LastFrame newest = {};             // the frame before, if another engine may have to go on with the video
  bool begins = false, searches = false;

  explicit FollowedVideo(const FollowRules& rules) : kept(rules) {}

  // Decides what the video's next frame needs: a new beginning, a search, and which points flow carries to
  // that frame.
  void prepare(GrayView frame) {
    begins = frame.empty() || frame.size() != size;
    searches = !frame.empty() && (begins || kept.wants_search());
    size = frame.empty() ? Size{} : frame.size();
    points.clear();
    places.clear();
    boxes.clear();
    fits.made = false;
    if (!begins) {
      kept.points(places, boxes);
      for (const PointPlace& place : places)
        points.push_back({static_cast<float>(place.x), static_cast<float>(place.y)});
    }
    flown.resize(points.size());
  }

  CarriedBoxes carried(bool fits_points) {
    CarriedBoxes carried{points, flown.data()};
    if (!fits_points) return carried;
    carried.boxes = boxes;
    carried.places = places;
    carried.fits = &fits;
    return carried;
  }

  Said& said_of(int id) {
    for (Said& each : said)
      if (each.id == id) return each;
    return said.emplace_back(Said{id, 0, 0, {}});
  }

  void write(std::vector<Followed>& faces) {
    std::erase_if(said, [&](const Said& each) {
      return std::none_of(kept.objects().begin(), kept.objects().end(),
                          [&](const KeptObject& face) { return face.id == each.id; });
    });
    faces.clear();
    for (const KeptObject& face : kept.objects()) {
      if (!face.shown) continue;
      const Said& last = said_of(face.id);
      Followed& to = faces.emplace_back();
      to.id = face.id;
      to.state = static_cast<FaceState>(face.state);
      to.box = whole_box(face.shown_box);
      to.score = last.score;
      to.neighbors = last.neighbors;
      to.shape = last.shape;
      for (std::size_t i = 0; i < to.shape.points.size(); ++i)
        to.shape.points[i] = {face.shown_points[i].x, face.shown_points[i].y};
    }
  }
};

// A face that was fitted in the box to which flow carried it.
struct FittedFace {
  FollowedObjects* kept;
  std::size_t face;  // index among the objects of `kept`
  const Shape* shape;
};

namespace {

using MakeEngine = std::function<std::unique_ptr<MarkedSearch>(BackendKind)>;

MakeEngine engine_maker(const DetectorModel& model, const Landmarks& landmarks,
                        const MachineOptions& machine) {
  return [model, landmarks, machine](BackendKind backend) {
    MachineOptions one = machine;
    one.backend = backend;
    return std::make_unique<MarkedSearch>(model, landmarks, one);
  };
}

constexpr int kMostFailures = 2;  // in a row

}  // namespace

struct Follower::State {
  FollowOptions options;
  SureFace sure;
  AutoBackends backends;
  MakeEngine make;
  AutoEngine<MarkedSearch> engines;
  bool renews = false;                    // the last call failed, and its session may not go on
  int failures = 0;                       // calls in a row in which the device failed
  std::string over;                       // why no further call is done; "" while calls are done
  const MarkedSearch* current = nullptr;  // did the last call; null before the first; never dereferenced
  FlowRules carrying{.back = true};
  std::vector<FollowedVideo> videos;
  std::vector<FollowedFrame> frames, handed;
  std::vector<Detections> found;
  std::vector<std::vector<Shape>> shapes;
  std::vector<SeenObject> seen;
  std::vector<std::vector<PointPlace>> seen_points;
  std::vector<FlowPoint> carried;
  std::vector<CarriedFit> fits;
  std::vector<FittedFace> fitted;
  std::vector<PointPlace> fitted_points;
  bool counts;  // whether presence counts
  int threads;

  State(DetectorModel model, const Landmarks& landmarks, FollowOptions given, const MachineOptions& machine)
      : options(checked(std::move(given))),
        sure(sure_face(model, landmarks, options)),
        backends(backends_for(machine.backend, model.kind())),
        make(engine_maker(model, landmarks, machine)),
        engines(make(backends.first), backends.start, machine.devices,
                [make = make, kind = backends.later] { return make(kind); }) {
    options.search.min_neighbors = 1;
    const MarkedSearch& first = engines.first();
    counts = face_search(first.detector().model(), first.landmarks()).min_confidence > 0;
    threads = first.detector().threads();
  }

  void renew() {
    if (!renews) return;
    current = nullptr;
    engines.replace_first(make(backends.first));
    renews = false;
  }

  // After an error a session of a device does not go on, so the next call gets a new one. A device that fails
  // at once in the new session, too, is given up.
  void fail(const Error& error) {
    if (error.code() == ErrorCode::kUsage) return;
    renews = true;
    if (error.code() != ErrorCode::kDevice && error.code() != ErrorCode::kBackend) return;
    if (++failures < kMostFailures) return;
    over = "the device failed twice in a row, so no further frame goes to it: " + error.sentence() +
           "; begin anew, best with the backend auto or cpu";
    throw Error(ErrorCode::kBackend, over);
  }

  // Lets an engine carry and search the frames. The engine first gets the frame before of each video that
  // goes on and whose frame before another engine has.
  void follow(MarkedSearch& engine) {
    handed.clear();
    for (const FollowedFrame& frame : frames) {
      FollowedVideo& video = videos[static_cast<std::size_t>(frame.video)];
      video.fits.made = false;
      if (video.by == &engine) continue;
      engine.forget(frame.video);
      if (!video.begins) handed.push_back({frame.video, video.newest.view()});
    }
    if (!handed.empty())
      engine.follow(handed, options.search, options.min_confidence, carrying, found, shapes);
    engine.follow(frames, options.search, options.min_confidence, carrying, found, shapes);
    for (const FollowedFrame& frame : frames) videos[static_cast<std::size_t>(frame.video)].by = &engine;
    current = &engine;
  }

  // Takes the next frame of each video that has one.
  void take(std::span<const PictureView> pictures) {
    while (videos.size() < pictures.size()) videos.emplace_back(follow_rules(options, counts));
    frames.clear();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      FollowedVideo& video = videos[i];
      video.prepare(pictures[i].gray);
      if (pictures[i].gray.empty()) continue;
      frames.push_back({static_cast<int>(i), pictures[i], video.searches,
                        video.carried(options.between != Between::kCarry)});
    }
    const bool keeps = engines.may_have_device();
    engines.run(frames.size(), 0, [&](MarkedSearch& engine) { follow(engine); });
    std::size_t at = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      FollowedVideo& video = videos[i];
      carried.clear();
      for (const FlowResult& result : video.flown) carried.push_back(flow_point(result));
      video.kept.carry(carried, pictures[i].gray, video.begins);
      if (video.searches) {
        meet(video, pictures[i].gray, found[at].objects, shapes[at]);
        ++at;
      }
    }
    fit(pictures);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      videos[i].kept.finish();
      if (keeps && !pictures[i].gray.empty()) videos[i].newest.take(pictures[i].gray);
    }
  }

  double counted(float presence) const { return counts ? static_cast<double>(presence) : 1; }

  // Fits the faces that flow carried, and that no search found.
  void fit(std::span<const PictureView> pictures) {
    fits.clear();
    fitted.clear();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      FollowedVideo& video = videos[i];
      const std::vector<KeptObject>& faces = video.kept.objects();
      for (std::size_t f = 0; f < faces.size(); ++f) {
        if (!video.kept.wants_fit(faces[f])) continue;
        Shape& shape = video.said_of(faces[f].id).shape;
        fits.push_back({static_cast<int>(i), pictures[i].gray, faces[f].box, &video.fits,
                        static_cast<std::size_t>(faces[f].carried), &shape});
        fitted.push_back({&video.kept, f, &shape});
      }
    }
    if (fits.empty()) return;
    engines.with(current, [&](MarkedSearch& engine) { engine.fit(fits); });
    for (const FittedFace& each : fitted) {
      fitted_points.clear();
      for (const LandmarkPoint& point : each.shape->points) fitted_points.push_back({point.x, point.y});
      each.kept->fit(each.face, fitted_points, counted(each.shape->presence));
    }
  }

  void meet(FollowedVideo& video, GrayView frame, const std::vector<Detection>& objects,
            std::vector<Shape>& marked) {
    seen.clear();
    seen_points.resize(std::max(seen_points.size(), objects.size()));
    for (std::size_t i = 0; i < objects.size(); ++i) {
      seen_points[i].clear();
      for (const LandmarkPoint& point : marked[i].points) seen_points[i].push_back({point.x, point.y});
      const bool is_sure = sure.holds(objects[i], marked[i].presence);
      seen.push_back({real_box(objects[i].box), is_sure, counted(marked[i].presence), seen_points[i]});
    }
    video.kept.meet(seen, frame);
    for (const KeptObject& face : video.kept.objects()) {
      if (face.seen < 0) continue;
      const auto at = static_cast<std::size_t>(face.seen);
      video.said_of(face.id) = {face.id, objects[at].score, objects[at].neighbors, std::move(marked[at])};
    }
  }
};

Follower::Follower(DetectorModel model, Landmarks landmarks, FollowOptions options,
                   const MachineOptions& machine)
    : state_(std::make_unique<State>(std::move(model), landmarks, std::move(options), machine)) {}
Follower::~Follower() = default;
Follower::Follower(Follower&&) noexcept = default;
Follower& Follower::operator=(Follower&&) noexcept = default;

BackendKind Follower::backend() const {
  return state_->engines.may_have_device() ? BackendKind::kAuto
                                           : state_->engines.first().detector().backend();
}
BackendKind Follower::last_backend() const {
  const MarkedSearch* device = state_->engines.awake();
  const bool by_device = device != nullptr && device == state_->current;
  return (by_device ? *device : state_->engines.first()).detector().backend();
}
std::string Follower::note() const { return state_->engines.note(); }
int Follower::threads() const { return state_->threads; }

std::vector<Followed> Follower::next(const PictureView& frame) {
  std::vector<Followed> faces;
  next(frame, faces);
  return faces;
}

void Follower::next(const PictureView& frame, std::vector<Followed>& faces) {
  next({&frame, 1}, {&faces, 1});
}

void Follower::next(std::span<const PictureView> frames, std::span<std::vector<Followed>> faces) {
  if (faces.size() != frames.size())
    throw Error(ErrorCode::kUsage, "there must be a list of faces for each frame");
  State& state = *state_;
  if (!state.over.empty()) throw Error(ErrorCode::kBackend, state.over);
  // The frames may be only half taken in, so no next frame can follow. Each video begins anew.
  const auto begin_anew = [&] {
    for (std::size_t i = 0; i < state.videos.size(); ++i) restart(static_cast<int>(i));
  };
  try {
    state.renew();
    state.take(frames);
    for (std::size_t i = 0; i < frames.size(); ++i) state.videos[i].write(faces[i]);
    state.failures = 0;
  } catch (const Error& error) {
    begin_anew();
    state.fail(error);
    throw;
  } catch (...) {
    begin_anew();
    state.renews = true;
    throw;
  }
}

void Follower::restart(int video) {
  const auto at = static_cast<std::size_t>(video);
  if (video < 0 || at >= state_->videos.size()) return;
  FollowedVideo& begun = state_->videos[at];
  begun.kept.restart();
  begun.size = {};
  begun.said.clear();
  begun.by = nullptr;
  state_->engines.first().forget(video);
  state_->engines.with(state_->engines.awake(), [&](MarkedSearch& engine) { engine.forget(video); });
}

}  // namespace winnow
