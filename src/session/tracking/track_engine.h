// Holds what a tracker has for one backend: the frames of each video, and a sieve for each object.
//
// In:     a backend; numbers of videos and of objects.
// Out:    frames and sieves, which are made when they are first asked for.
// Exact:  the same tracks for every backend.
// Memory: owns frames and sieves until they are dropped.
// Thread: one thread at a time.
#pragma once

#include <map>
#include <memory>

#include <winnow/machine.h>

#include "backend/auto_engine.h"
#include "backend/backend.h"
#include "track/tld/sift/window_sieve.h"

namespace winnow {

class TrackEngine {
 public:
  // Throws if the backend or its device cannot be used, or follows no objects.
  TrackEngine(const BackendTable& backend, const MachineOptions& machine);

  const BackendTable& table() const { return table_; }
  int threads() const { return threads_; }

  SieveFrames& frames(int video);
  // The sieve of an object in a video.
  WindowSieve& sieve(int video, int object);
  void drop_object(int object) { sieves_.erase(object); }
  // The video's objects must be dropped before.
  void drop_video(int video) { frames_.erase(video); }

 private:
  const BackendTable& table_;
  int threads_, device_;
  std::map<int, std::unique_ptr<SieveFrames>> frames_;
  std::map<int, std::unique_ptr<WindowSieve>> sieves_;
};

AutoEngine<TrackEngine> make_track_engines(const MachineOptions& machine);

}  // namespace winnow
