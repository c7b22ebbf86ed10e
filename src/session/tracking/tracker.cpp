// Checks frames and boxes for `Tracker`, gives each object its part of the flow, and saves objects.
#include <winnow/tracker.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include <winnow/error.h>

#include "backend/backend.h"
#include "base/file.h"
#include "base/share_work.h"
#include "base/threads.h"
#include "session/tracking/frame_check.h"
#include "track/flow/flow_runner.h"
#include "track/saved/object_bytes.h"
#include "track/tld/object_tracker.h"

namespace winnow {
namespace {

constexpr const char* kWhat = "a frame to be tracked";
constexpr double kLeastSide = 8;  // of the part of a box inside of the frame

std::string size_text(Size size) { return std::to_string(size.width) + " x " + std::to_string(size.height); }

// The part of a box inside of the frame.
RealBox checked(const RealBox& box, Size frame) {
  for (const double value : {box.x, box.y, box.width, box.height}) {
    if (!std::isfinite(value)) throw Error(ErrorCode::kUsage, "a box to be tracked must have finite numbers");
  }
  const double left = std::max(box.x, 0.0), top = std::max(box.y, 0.0);
  const double right = std::min(box.x + box.width, static_cast<double>(frame.width)),
               bottom = std::min(box.y + box.height, static_cast<double>(frame.height));
  const std::string size = size_text(frame);
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

static_assert(Tracker::kMostSaved == kMostSavedObjects);

struct Tracker::State {
  struct Object {
    int id;
    ObjectTracker tracker;
    std::size_t first = 0, points = 0;  // its points in `places`
  };

  static Track track_of(const Object& object) {
    const TrackedObject& now = object.tracker.last();
    return {object.id, state_of(now.state), now.box, now.confidence};
  }

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

  template <class Objects>
  static auto& find_in(Objects& objects, int id) {
    const auto at =
        std::find_if(objects.begin(), objects.end(), [&](const Object& object) { return object.id == id; });
    if (at == objects.end())
      throw Error(ErrorCode::kUsage, "the tracker has no object with the id " + std::to_string(id));
    return *at;
  }
  Object& find(int id) { return find_in(objects, id); }
  const Object& find(int id) const { return find_in(objects, id); }

  // `doing`: what is done in the newest frame.
  void check_newest(GrayView frame, const char* doing) const {
    check_frame(frame, kWhat);
    if (size != Size{} && frame.size() != size)
      throw Error(ErrorCode::kUsage, std::string(doing) + " in the newest frame, which has another size");
  }

  // Objects may begin in a frame before the first `next`.
  void keep_first(GrayView frame) {
    if (size != Size{}) return;
    flow->keep(frame, rules);
    size = frame.size();
  }

  void mark(Object& object, GrayView frame, const RealBox& box) {
    check_newest(frame, "an object is marked");
    if (!object.tracker.mark(frame, checked(box, frame.size())))
      throw Error(ErrorCode::kUsage, "a box to be tracked is too long for the frame: no window is like it");
    keep_first(frame);
  }

  SavedObject saved(const Object& object) const {
    return {object.tracker.object(), object.tracker.place(), size};
  }

  // `frame`: the newest frame, in which the objects go on; none if they are lost.
  std::vector<int> add(std::vector<SavedObject> saved, GrayView frame) {
    std::vector<Object> added;
    std::vector<int> ids;
    for (SavedObject& each : saved) {
      if (frame.empty()) {
        each.place = {{}, {}, false, false, each.place.number, each.place.memory};
      } else if (each.place.there && each.frame != frame.size()) {
        throw Error(ErrorCode::kUsage, "an object was saved in a frame of " + size_text(each.frame) +
                                           ", and can only go on in such a frame");
      }
      ids.push_back(last_id + 1 + static_cast<int>(ids.size()));
      added.push_back(
          {ids.back(), ObjectTracker(steps, std::move(each.object), each.place, frame, frames.get()), 0, 0});
    }
    if (!frame.empty()) keep_first(frame);
    objects.insert(objects.end(), std::make_move_iterator(added.begin()),
                   std::make_move_iterator(added.end()));
    last_id += static_cast<int>(ids.size());
    return ids;
  }

  // Carries the points of all objects to the newest frame, in one call for each number of halvings.
  void carry() {
    places.clear();
    int most = 0;
    for (const Object& object : objects) most = std::max(most, object.tracker.object().halvings);
    for (int halvings = 0; halvings <= most; ++halvings) {
      const std::size_t first = places.size();
      for (Object& object : objects) {
        if (object.tracker.object().halvings != halvings) continue;
        object.tracker.points(own);
        object.first = places.size();
        object.points = own.size();
        places.insert(places.end(), own.begin(), own.end());
      }
      results.resize(places.size());
      if (places.size() == first) continue;
      flow->carry(std::span(places).subspan(first), ObjectTracker::flow_rules(halvings),
                  results.data() + first);
    }
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
      object.tracker.next(frame, own_part(places), own_part(results), each);
      tracks[i] = track_of(object);
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

Track Tracker::last(int id) const { return State::track_of(std::as_const(*state_).find(id)); }

std::vector<std::byte> Tracker::to_bytes() const {
  std::vector<int> ids;
  for (const State::Object& object : state_->objects) ids.push_back(object.id);
  return to_bytes(ids);
}

std::vector<std::byte> Tracker::to_bytes(std::span<const int> ids) const {
  std::vector<SavedObject> saved;
  for (const int id : ids) saved.push_back(state_->saved(std::as_const(*state_).find(id)));
  return write_objects(saved);
}

void Tracker::save(const std::string& path) const { write_file(path, to_bytes()); }

void Tracker::save(const std::string& path, std::span<const int> ids) const {
  write_file(path, to_bytes(ids));
}

std::vector<int> Tracker::add_saved(std::span<const std::byte> bytes) {
  return state_->add(parse_objects(bytes), {});
}

std::vector<int> Tracker::add_saved(std::span<const std::byte> bytes, GrayView frame) {
  state_->check_newest(frame, "a saved object goes on");
  return state_->add(parse_objects(bytes), frame);
}

std::vector<int> Tracker::load(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path, kMostSavedBytes);
  try {
    return add_saved(bytes);
  } catch (const Error& error) {
    throw Error(error.code(), error.sentence(), path);
  }
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
