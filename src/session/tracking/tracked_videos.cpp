#include "session/tracking/tracked_videos.h"

#include <algorithm>

#include "base/share_work.h"

namespace winnow {

const TrackEngine& TrackedVideos::last_engine() {
  const TrackEngine* const device = engines_.awake();
  return device != nullptr && device == current_ ? *device : engines_.first();
}

void TrackedVideos::remove(int id) {
  std::erase_if(objects_, [&](const Object& object) { return object.id == id; });
  engines_.first().drop_object(id);
  if (TrackEngine* device = engines_.awake()) device->drop_object(id);
}

void TrackedVideos::restart(int video) {
  std::vector<int> ids;
  for (const Object& object : objects_)
    if (object.video == video) ids.push_back(object.id);
  for (const int id : ids) remove(id);
  videos_.erase(video);
  engines_.first().drop_video(video);
  if (TrackEngine* device = engines_.awake()) device->drop_video(video);
}

Size TrackedVideos::size(int video) const {
  const auto at = videos_.find(video);
  return at != videos_.end() ? at->second.size : Size{};
}

void TrackedVideos::keep_first(int video, GrayView frame) {
  if (size(video) != Size{}) return;
  TrackEngine& engine = engines_.first();
  engine.frames(video).keep(frame, rules_);
  keep_newest({video, frame, &videos_[video]}, engine);
}

void TrackedVideos::keep_newest(const Given& given, const TrackEngine& engine) {
  if (engines_.may_have_device()) given.video->newest.take(given.frame);
  given.video->size = given.frame.size();
  given.video->by = &engine;
}

void TrackedVideos::next(std::span<const GrayView> frames) {
  given_.clear();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const int number = static_cast<int>(i);
    if (!frames[i].empty()) given_.push_back({number, frames[i], &videos_[number]});
  }
  std::size_t count = 0;
  for (Object& object : objects_) {
    const auto at = static_cast<std::size_t>(object.video);
    object.waits = at < frames.size() && !frames[at].empty();
    if (object.waits) object.frame = frames[at].size();
    count += object.waits ? 1 : 0;
  }
  try {
    engines_.run(count, 0, [&](TrackEngine& engine) {
      take(engine);
      current_ = &engine;
    });
    for (const Given& given : given_) keep_newest(given, *current_);
  } catch (...) {
    // Some objects may have taken their frame and others not. The search finds them again.
    for (const Given& given : given_) {
      given.video->size = given.frame.size();
      given.video->by = nullptr;
      for (Object& object : objects_)
        if (object.video == given.number) object.tracker.lose();
    }
    throw;
  }
}

// If a device failed in the middle of these frames, the first engine goes on with the objects that are left.
// An object changes only after its sieve is done.
void TrackedVideos::take(TrackEngine& engine) {
  for (const Given& given : given_) {
    SieveFrames& frames = engine.frames(given.number);
    if (given.video->by != &engine) {
      frames.forget();
      if (given.video->by != nullptr) frames.keep(given.video->newest.view(), rules_);
    }
    frames.keep(given.frame, rules_);
  }
  for (Object& object : objects_) {
    if (!object.waits) continue;
    object.sieve = &engine.sieve(object.video, object.id);
    object.tracker.begin(object.frame, *object.sieve);
  }
  places_.clear();
  for (const Given& given : given_) carry(given.number, engine.frames(given.number));
  finish(engine.threads());
}

// Carries the points of a video's objects to its newest frame, in one call for each number of halvings.
void TrackedVideos::carry(int video, SieveFrames& frames) {
  int most = -1;
  for (Object& object : objects_) {
    if (!object.waits || object.video != video) continue;
    object.first = object.points = 0;
    most = std::max(most, object.tracker.object().halvings);
  }
  if (!frames.has_before()) return;
  for (int halvings = 0; halvings <= most; ++halvings) {
    const auto is_next = [&](const Object& object) {
      return object.waits && object.video == video && object.tracker.object().halvings == halvings;
    };
    const std::size_t first = places_.size();
    for (Object& object : objects_) {
      if (!is_next(object)) continue;
      object.tracker.points(own_);
      object.first = places_.size();
      object.points = own_.size();
      places_.insert(places_.end(), own_.begin(), own_.end());
    }
    results_.resize(places_.size());
    if (places_.size() == first) continue;
    frames.carry(std::span(places_).subspan(first), ObjectTracker::flow_rules(halvings),
                 results_.data() + first);
    for (const Object& object : objects_) {
      if (!is_next(object)) continue;
      object.tracker.carry_again(object.frame, frames,
                                 std::span(places_).subspan(object.first, object.points),
                                 std::span(results_).subspan(object.first, object.points));
    }
  }
}

void TrackedVideos::finish(int threads) {
  waiting_.clear();
  for (Object& object : objects_)
    if (object.waits) waiting_.push_back(&object);
  // Few objects share the threads.
  const int each = std::max(1, threads / std::max(1, static_cast<int>(waiting_.size())));
  share_work(threads, waiting_.size(), 1, [&](std::size_t, std::size_t i) {
    Object& object = *waiting_[i];
    const auto own_part = [&](auto& list) { return std::span(list).subspan(object.first, object.points); };
    object.tracker.next(object.frame, *object.sieve, own_part(places_), own_part(results_), each);
    object.waits = false;
  });
}

}  // namespace winnow
