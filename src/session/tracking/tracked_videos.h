// Takes the frames of videos, on one backend after the other, and lets each object follow in its video.
//
// In:     frames of videos, several videos at once; objects.
// Out:    objects that took the frames.
// Exact:  same tracks for every backend and number of threads. Neither other objects nor other videos nor a
//         change of the backend in the middle of a frame changes an object's track.
// Memory: owns objects and engines. While a device may help, a copy of each video's newest frame, too.
// Thread: one thread at a time. Objects share the threads.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <winnow/image.h>

#include "session/last_frame.h"
#include "session/tracking/track_engine.h"
#include "track/tld/object_tracker.h"

namespace winnow {

class TrackedVideos {
 public:
  struct Object {
    int id, video;
    ObjectTracker tracker;
    // All that follows belongs to the current frame.
    WindowSieve* sieve = nullptr;
    std::size_t first = 0, points = 0;  // its points in `places_`
    Size frame = {};                    // the frame's
    bool waits = false;                 // it did not take the frame yet
  };

  explicit TrackedVideos(AutoEngine<TrackEngine> engines) : engines_(std::move(engines)) {}

  AutoEngine<TrackEngine>& engines() { return engines_; }
  const AutoEngine<TrackEngine>& engines() const { return engines_; }
  // The engine that took the last frames.
  const TrackEngine& last_engine();
  // The steps for frames with marks.
  const ObjectSteps& steps() const { return *engines_.first().table().objects; }

  std::vector<Object>& objects() { return objects_; }
  const std::vector<Object>& objects() const { return objects_; }
  void remove(int id);
  // Forgets a video's objects and frames.
  void restart(int video);

  // The size of a video's newest frame; none before the first.
  Size size(int video) const;
  // Objects may begin in a frame before the first that `next` takes.
  void keep_first(int video, GrayView frame);
  // Takes the next frame of each video that has one: frame i belongs to video i. After an error the objects of
  // these videos are lost.
  void next(std::span<const GrayView> frames);

 private:
  struct Video {
    Size size;
    const TrackEngine* by = nullptr;  // has the newest frame; null: none has; never dereferenced
    LastFrame newest;                 // if another engine may have to go on
  };
  struct Given {
    int number;
    GrayView frame;
    Video* video;
  };

  void take(TrackEngine& engine);
  void carry(int video, SieveFrames& frames);
  void finish(int threads);
  void keep_newest(const Given& given, const TrackEngine& engine);

  AutoEngine<TrackEngine> engines_;
  const TrackEngine* current_ = nullptr;  // took the last frames; never dereferenced
  FlowRules rules_ = ObjectTracker::flow_rules();
  std::map<int, Video> videos_;
  std::vector<Object> objects_;
  std::vector<Given> given_;
  std::vector<Object*> waiting_;
  std::vector<FlowPlace> places_, own_;
  std::vector<FlowResult> results_;
};

}  // namespace winnow
