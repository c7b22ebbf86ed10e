// Gives the backends among which sessions with `auto` choose: one that works at once, and one whose device
// must start first.
//
// In:     a kind of model.
// Out:    the kinds of the backends, and how the device starts.
// Exact:  the choice changes no answer.
// Memory: a `DeviceStart` lives as long as the program.
// Thread: any. `DeviceStart::wake` may run on a thread that outlives the session: docs/design/024-auto.md.
#pragma once

#include <optional>
#include <string>

#include <winnow/backend.h>

namespace winnow {

// How a backend on devices starts.
struct DeviceStart {
  // Whether this machine may have a device. Does not ask the driver, so it takes no time.
  bool (*may_run)();
  // Starts the driver and a device. kBackend or kDevice, with the reason, if the device cannot be used.
  void (*wake)(int device);
  double seconds;  // how long it takes, with the first session, until the device searches
};

struct AutoBackends {
  BackendKind first;  // needs no start
  // The backend that helps once it has started, if the work pays for the start, and its start; kAuto and null
  // if this machine has no such backend.
  BackendKind later = BackendKind::kAuto;
  const DeviceStart* start = nullptr;
};

// `model_kind`: the kind of model that the backends must know. An empty kind stands for any kind.
AutoBackends auto_backends(const std::string& model_kind = {});
// The backends of a session for which the user wants `backend`: that one alone, unless it is kAuto.
inline AutoBackends backends_for(BackendKind backend, const std::string& model_kind = {}) {
  return backend == BackendKind::kAuto ? auto_backends(model_kind) : AutoBackends{backend};
}

// For tests: `auto_backends` gives these backends for every kind of model, until called with nothing.
void force_auto_backends(std::optional<AutoBackends> backends);

// The least seconds of work for which a device starts, as a multiple of the seconds of its start. A device
// also ends more slowly than a processor, and is not at once at its full speed.
constexpr double kWorthStarts = 2;

// The start of a backend; null if it needs none. kBackend if the backend is absent.
const DeviceStart* start_of(BackendKind backend);

}  // namespace winnow
