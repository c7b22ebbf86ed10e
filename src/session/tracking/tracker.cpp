// Checks frames and boxes for `Tracker`, and gives each object its part of the flow.
#include <winnow/tracker.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <winnow/error.h>

#include "backend/backend.h"
#include "base/share_work.h"
#include "base/threads.h"
#include "session/tracking/frame_check.h"
#include "track/flow/flow_runner.h"
#include "track/tld/object_tracker.h"

namespace winnow {
namespace {

constexpr const char* kWhat = "a frame to be tracked";
constexpr double kLeastSide = 8;  // of the part of a box inside of the frame

// The part of a box inside of the frame.
RealBox checked(const RealBox& box, Size frame) {
  for (const double value : {box.x, box.y, box.width, box.height}) {
    if (!std::isfinite(value)) throw Error(ErrorCode::kUsage, "a box to be tracked must have finite numbers");
  }
  const double left = std::max(box.x, 0.0), top = std::max(box.y, 0.0);
  const double right = std::min(box.x + box.width, static_cast<double>(frame.width)),
               bottom = std::min(box.y + box.height, static_cast<double>(frame.height));
  const std::string size = std::to_string(frame.width) + " x " + std::to_string(frame.height);
  if (right - left < kLeastSide || bottom - top < kLeastSide)
    throw Error(ErrorCode::kUsage,
                "a box to be tracked must have at least 8 x 8 pixels inside of the frame, which is " + size);
  if (2 * (right - left) * (bottom - top) < box.width * box.height)
    throw Error(ErrorCode::kUsage,
                "most of a box to be tracked must lie inside of the frame, which is " + size);
  return {left, top, right - left, bottom - top};
}

TrackState state_of(ObjectState state) {
  switch (state) {
    case ObjectState::kFound:
      return TrackState::kFound;
    case ObjectState::kTracked:
      return TrackState::kTracked;
    case ObjectState::kLost:
      break;
  }
  return TrackState::kLost;
}

// With `auto`, the first backend on processors that runs here: a device takes longer to start than many
// objects take to follow.
const BackendTable& find_table(BackendKind kind) {
  for (const BackendTable& table : backend_tables()) {
    if (table.kind == kind && table.built && table.objects == nullptr)
      throw Error(ErrorCode::kBackend, std::string("the backend ") + table.name + " follows no objects yet");
  }
  if (kind != BackendKind::kAuto) return find_backend(kind);
  for (const BackendTable& table : backend_tables()) {
    if (table.built && table.start == nullptr && table.objects != nullptr && table.why_not().empty())
      return table;
  }
  throw Error(ErrorCode::kBackend, "no backend here follows objects");
}

}  // namespace

const char* state_name(TrackState state) {
  switch (state) {
    case TrackState::kFound:
      return "found";
    case TrackState::kTracked:
      return "tracked";
    case TrackState::kLost:
      break;
  }
  return "lost";
}

struct Tracker::State {
  struct Object {
    int id;
    ObjectTracker tracker;
    std::size_t first = 0, points = 0;  // its points in `places`
  };

  TrackOptions options;
  const BackendTable& table;
  const ObjectSteps& steps;
  int threads;
  std::unique_ptr<FlowRunner> flow;
  std::unique_ptr<SieveFrames> frames;  // null: the host sifts windows
  FlowRules rules = ObjectTracker::flow_rules();
  std::vector<Object> objects;
  int last_id = 0;
  Size size;  // of the newest frame; none before the first
  std::vector<FlowPlace> places, own;
  std::vector<FlowResult> results;

  State(TrackOptions wanted, const MachineOptions& machine)
      : options(wanted),
        table(find_table(machine.backend)),
        steps(*table.objects),
        threads(table.threads(machine.threads)),
        flow(make_flow_runner(table, {threads, machine.devices})),
        frames(steps.make_frames != nullptr ? steps.make_frames(machine.devices.front()) : nullptr) {}

  Object& find(int id) {
    const auto at =
        std::find_if(objects.begin(), objects.end(), [&](const Object& object) { return object.id == id; });
    if (at == objects.end())
      throw Error(ErrorCode::kUsage, "the tracker has no object with the id " + std::to_string(id));
    return *at;
  }

  void mark(Object& object, GrayView frame, const RealBox& box) {
    check_frame(frame, kWhat);
    if (size != Size{} && frame.size() != size)
      throw Error(ErrorCode::kUsage, "an object is marked in the newest frame, which has another size");
    if (!object.tracker.mark(frame, checked(box, frame.size())))
      throw Error(ErrorCode::kUsage, "a box to be tracked is too long for the frame: no window is like it");
    if (size != Size{}) return;
    flow->keep(frame, rules);
    size = frame.size();
  }

  // Carries the points of all objects to the newest frame, in one call.
  void carry() {
    places.clear();
    for (Object& object : objects) {
      object.tracker.points(own);
      object.first = places.size();
      object.points = own.size();
      places.insert(places.end(), own.begin(), own.end());
    }
    results.resize(places.size());
    if (!places.empty()) flow->carry(places, rules, results.data());
  }

  void next(GrayView frame, std::vector<Track>& tracks) {
    if (frames != nullptr && !objects.empty()) {
      frames->keep(frame);
      for (Object& object : objects) object.tracker.begin(frame);
    }
    flow->keep(frame, rules);
    size = frame.size();
    if (flow->has_before()) {
      carry();
    } else {
      for (Object& object : objects) object.points = 0;
    }
    tracks.resize(objects.size());
    // Few objects share the threads.
    const int each = std::max(1, threads / std::max(1, static_cast<int>(objects.size())));
    share_work(threads, objects.size(), 1, [&](std::size_t, std::size_t i) {
      Object& object = objects[i];
      const auto own_part = [&](auto& list) { return std::span(list).subspan(object.first, object.points); };
      const TrackedObject& now = object.tracker.next(frame, own_part(places), own_part(results), each);
      tracks[i] = {object.id, state_of(now.state), now.box, now.confidence};
    });
  }
};

Tracker::Tracker(TrackOptions options, const MachineOptions& machine) {
  check_threads(machine.threads);
  check_devices(machine.devices);
  state_ = std::make_unique<State>(options, machine);
}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

BackendKind Tracker::backend() const { return state_->table.kind; }
int Tracker::threads() const { return state_->threads; }

int Tracker::add(GrayView frame, const RealBox& box) {
  State& state = *state_;
  const int id = state.last_id + 1;
  State::Object object{id, ObjectTracker(state.steps, state.options.seed, state.frames.get()), 0, 0};
  state.mark(object, frame, box);
  state.objects.push_back(std::move(object));
  return state.last_id = id;
}

void Tracker::set(int id, GrayView frame, const RealBox& box) {
  State::Object& object = state_->find(id);
  state_->mark(object, frame, box);
}

void Tracker::remove(int id) {
  const State::Object& object = state_->find(id);
  state_->objects.erase(state_->objects.begin() + (&object - state_->objects.data()));
}

std::vector<Track> Tracker::next(GrayView frame) {
  std::vector<Track> tracks;
  next(frame, tracks);
  return tracks;
}

void Tracker::next(GrayView frame, std::vector<Track>& tracks) {
  State& state = *state_;
  check_frame(frame, kWhat);
  try {
    state.next(frame, tracks);
  } catch (...) {
    // Some objects may have taken the frame and others not. The search finds them again.
    state.flow->forget();
    for (State::Object& object : state.objects) object.tracker.lose();
    throw;
  }
}

}  // namespace winnow
