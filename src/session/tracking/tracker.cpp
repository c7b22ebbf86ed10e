// Checks frames and boxes for `Tracker`, and saves objects; `TrackedVideos` takes the frames.
#include <winnow/tracker.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <utility>

#include <winnow/error.h>

#include "base/file.h"
#include "session/tracking/frame_check.h"
#include "session/tracking/tracked_videos.h"
#include "track/saved/object_bytes.h"
#include "track/tld/object_tracker.h"

namespace winnow {
namespace {

constexpr const char* kWhat = "a frame to be tracked";
constexpr double kLeastSide = 8;  // of the part of a box inside of the frame

std::string size_text(Size size) { return std::to_string(size.width) + " x " + std::to_string(size.height); }

void check_video(int video) {
  if (video < 0) throw Error(ErrorCode::kUsage, "the number of a video must be 0 or more");
}

// What to give instead, if the numbers of a box that does not fit are two corners that do. Else nothing.
std::string corners_text(const RealBox& box, Size frame) {
  const double width = box.width - box.x, height = box.height - box.y;
  if (box.x < 0 || box.y < 0 || width < kLeastSide || height < kLeastSide || box.width > frame.width ||
      box.height > frame.height)
    return {};
  std::ostringstream text;
  text << "; as two corners the numbers would fit: then give " << box.x << ',' << box.y << ',' << width << ','
       << height;
  return text.str();
}

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
    throw Error(ErrorCode::kUsage, "most of a box to be tracked must lie inside of the frame, which is " +
                                       size + corners_text(box, frame));
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
  using Object = TrackedVideos::Object;

  static Track track_of(const Object& object) {
    const TrackedObject& now = object.tracker.last();
    return {object.id, state_of(now.state), now.box, now.confidence};
  }

  TrackOptions options;
  TrackedVideos videos;
  int last_id = 0;

  State(TrackOptions wanted, const MachineOptions& machine)
      : options(wanted), videos(make_track_engines(machine)) {}

  template <class Objects>
  static auto& find_in(Objects& objects, int id) {
    const auto at =
        std::find_if(objects.begin(), objects.end(), [&](const Object& object) { return object.id == id; });
    if (at == objects.end())
      throw Error(ErrorCode::kUsage, "the tracker has no object with the id " + std::to_string(id));
    return *at;
  }
  Object& find(int id) { return find_in(videos.objects(), id); }
  const Object& find(int id) const { return find_in(videos.objects(), id); }

  // `doing`: what is done in the newest frame.
  void check_newest(int video, GrayView frame, const char* doing) const {
    check_frame(frame, kWhat);
    const Size size = videos.size(video);
    if (size != Size{} && frame.size() != size)
      throw Error(ErrorCode::kUsage, std::string(doing) + " in the newest frame, which has another size");
  }

  void mark(Object& object, GrayView frame, const RealBox& box) {
    check_newest(object.video, frame, "an object is marked");
    if (!object.tracker.mark(frame, checked(box, frame.size())))
      throw Error(ErrorCode::kUsage, "a box to be tracked is too long for the frame: no window is like it");
    videos.keep_first(object.video, frame);
  }

  SavedObject saved(const Object& object) const {
    return {object.tracker.object(), object.tracker.place(), videos.size(object.video)};
  }

  // `frame`: the newest frame, in which the objects go on; none if they are lost.
  std::vector<int> add(int video, std::vector<SavedObject> saved, GrayView frame) {
    std::vector<Object> added;
    std::vector<int> ids;
    for (SavedObject& each : saved) {
      if (frame.empty()) {
        each.place = {{}, {}, false, false, each.place.number, each.place.memory};
        each.place.memory.lose();
      } else if (each.place.there && each.frame != frame.size()) {
        throw Error(ErrorCode::kUsage, "an object was saved in a frame of " + size_text(each.frame) +
                                           ", and can only go on in such a frame");
      }
      ids.push_back(last_id + 1 + static_cast<int>(ids.size()));
      added.push_back({ids.back(), video,
                       ObjectTracker(videos.steps(), std::move(each.object), each.place, frame.size())});
    }
    if (!frame.empty()) videos.keep_first(video, frame);
    std::vector<Object>& objects = videos.objects();
    objects.insert(objects.end(), std::make_move_iterator(added.begin()),
                   std::make_move_iterator(added.end()));
    last_id += static_cast<int>(ids.size());
    return ids;
  }

  void write(int video, std::vector<Track>& tracks) const {
    for (const Object& object : videos.objects())
      if (object.video == video) tracks.push_back(track_of(object));
  }
};

Tracker::Tracker(TrackOptions options, const MachineOptions& machine)
    : state_(std::make_unique<State>(options, machine)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

BackendKind Tracker::backend() const {
  const AutoEngine<TrackEngine>& engines = state_->videos.engines();
  return engines.may_have_device() ? BackendKind::kAuto : engines.first().table().kind;
}
BackendKind Tracker::last_backend() const { return state_->videos.last_engine().table().kind; }
std::string Tracker::note() const { return state_->videos.engines().note(); }
int Tracker::threads() const { return state_->videos.engines().first().threads(); }

int Tracker::add(GrayView frame, const RealBox& box, int video) {
  check_video(video);
  State& state = *state_;
  const int id = state.last_id + 1;
  State::Object object{id, video, ObjectTracker(state.videos.steps(), state.options.seed)};
  state.mark(object, frame, box);
  state.videos.objects().push_back(std::move(object));
  return state.last_id = id;
}

void Tracker::set(int id, GrayView frame, const RealBox& box) {
  State::Object& object = state_->find(id);
  state_->mark(object, frame, box);
}

void Tracker::remove(int id) {
  state_->find(id);
  state_->videos.remove(id);
}

void Tracker::restart(int video) {
  check_video(video);
  state_->videos.restart(video);
}

Track Tracker::last(int id) const { return State::track_of(std::as_const(*state_).find(id)); }

std::vector<std::byte> Tracker::to_bytes() const {
  std::vector<int> ids;
  for (const State::Object& object : state_->videos.objects()) ids.push_back(object.id);
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

std::vector<int> Tracker::add_saved(std::span<const std::byte> bytes, int video) {
  check_video(video);
  return state_->add(video, parse_objects(bytes), {});
}

std::vector<int> Tracker::add_saved(std::span<const std::byte> bytes, GrayView frame, int video) {
  check_video(video);
  state_->check_newest(video, frame, "a saved object goes on");
  return state_->add(video, parse_objects(bytes), frame);
}

std::vector<int> Tracker::load(const std::string& path, int video) {
  const std::vector<std::byte> bytes = read_file(path, kMostSavedBytes);
  try {
    return add_saved(bytes, video);
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
  check_frame(frame, kWhat);
  next({&frame, 1}, {&tracks, 1});
}

void Tracker::next(std::span<const GrayView> frames, std::span<std::vector<Track>> tracks) {
  if (tracks.size() != frames.size())
    throw Error(ErrorCode::kUsage, "there must be a list of tracks for each frame");
  for (const GrayView& frame : frames)
    if (!frame.empty()) check_frame(frame, kWhat);
  state_->videos.next(frames);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    tracks[i].clear();
    if (!frames[i].empty()) state_->write(static_cast<int>(i), tracks[i]);
  }
}

}  // namespace winnow
