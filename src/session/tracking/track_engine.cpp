#include "session/tracking/track_engine.h"

#include <string>

#include <winnow/error.h>

#include "base/threads.h"
#include "track/tld/object_steps.h"

namespace winnow {

TrackEngine::TrackEngine(const BackendTable& backend, const MachineOptions& machine)
    : table_(backend), threads_(backend.threads(machine.threads)), device_(machine.devices.front()) {
  if (backend.objects == nullptr)
    throw Error(ErrorCode::kBackend, std::string("the backend ") + backend.name + " follows no objects");
  frames(0);  // a device that cannot be used says so at once
}

SieveFrames& TrackEngine::frames(int video) {
  std::unique_ptr<SieveFrames>& frames = frames_[video];
  if (frames == nullptr) frames = table_.objects->make_frames(threads_, device_);
  return *frames;
}

WindowSieve& TrackEngine::sieve(int video, int object) {
  std::unique_ptr<WindowSieve>& sieve = sieves_[object];
  if (sieve == nullptr) sieve = frames(video).make_sieve();
  return *sieve;
}

AutoEngine<TrackEngine> make_track_engines(const MachineOptions& machine) {
  check_threads(machine.threads);
  check_devices(machine.devices);
  const AutoBackends backends = backends_for(machine.backend);
  return AutoEngine<TrackEngine>(std::make_unique<TrackEngine>(find_backend(backends.first), machine),
                                 backends.start, machine.devices, [kind = backends.later, machine] {
                                   return std::make_unique<TrackEngine>(find_backend(kind), machine);
                                 });
}

}  // namespace winnow
