// Lists the backends of this build, and the SIMD targets of the cpu backend, and forces a SIMD target.
//
// A backend does the work on one kind of hardware. `MachineOptions` (machine.h) chooses the backend.
//
// In:     names and kinds of backends, names of SIMD targets.
// Out:    what this build and this machine can run.
// Exact:  every backend and every SIMD target gives the same answer.
// Memory: `backend_name` returns a string that lives as long as the program. All other results belong to the
//         caller.
// Thread: any thread may call the functions, but `force_simd_target` only while no other thread searches or
//         trains. A forced SIMD target holds for the whole process.
#pragma once

#include <string>
#include <vector>

#include <winnow/export.h>

namespace winnow {

// With kAuto, a session begins on the processor. If its work takes so long that a device pays for its start,
// the device starts while the work goes on, and then takes its share. Training with kAuto takes the first
// backend, in the order of `list_backends`, that runs here and knows the kind of model. kAuto changes no
// answer.
enum class BackendKind { kAuto, kReference, kCpu, kCuda };

WINNOW_API const char* backend_name(BackendKind kind);
// "auto", "cuda", "cpu" or "reference"; any other name is a kUsage error that lists these names.
WINNOW_API BackendKind parse_backend(const std::string& name);

struct BackendInfo {
  BackendKind kind;
  bool available;
  std::string detail;  // what the backend runs on: "AVX3_DL, threads"; or why it is not available
};
// Lists cuda, cpu and reference in this order, the fastest first, whether or not they are available.
WINNOW_API std::vector<BackendInfo> list_backends();

// What kAuto does on this machine.
struct AutoInfo {
  BackendKind first;                       // does the work at once
  BackendKind later = BackendKind::kAuto;  // wakes up if the work is long; kAuto if there is no such backend
  double worth_seconds = 0;                // how long the work must take on `first` before `later` wakes up
};
// Asks the drivers of devices, so that `later` can be used.
WINNOW_API AutoInfo auto_info();

// SIMD targets of the cpu backend that this machine can run, best first ("AVX3_DL", "AVX2", "SSE4", ...).
WINNOW_API std::vector<std::string> list_simd_targets();
// Forces a SIMD target for the whole process, for tests and benches; "" ends the forcing. A target that is
// unknown or cannot run here is a kBackend error. The environment variable WINNOW_SIMD also forces a target,
// unless this function was called before. The variable is read when the first detector is made, the first
// training starts or backends are listed.
WINNOW_API void force_simd_target(const std::string& name);

}  // namespace winnow
