// Backends: the same steps filled in more than once, with the same answer. Each can be listed and forced by
// name.
#pragma once

#include <string>
#include <vector>

#include <winnow/export.h>

namespace winnow {

enum class BackendKind { kAuto, kReference, kCpu, kCuda };

WINNOW_API const char* backend_name(BackendKind kind);
// "auto", "reference", "cpu" or "cuda"; any other name is a kUsage error that lists them.
WINNOW_API BackendKind parse_backend(const std::string& name);

struct BackendInfo {
  BackendKind kind;
  bool available;
  std::string detail;  // "AVX3_DL, 16 lanes"; or why it is not available
};
WINNOW_API std::vector<BackendInfo> list_backends();

// SIMD targets of the cpu backend that this machine can run, best first ("AVX3_DL", "AVX2", "SSE4", ...).
WINNOW_API std::vector<std::string> list_simd_targets();
// Forces one for the whole process (for tests and benches); "" gives the choice back. Unknown or not
// runnable: kBackend. The environment variable WINNOW_SIMD does the same at start.
WINNOW_API void force_simd_target(const std::string& name);

}  // namespace winnow
