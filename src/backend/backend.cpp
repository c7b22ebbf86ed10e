#include "backend/backend.h"

#include <array>

#include <winnow/error.h>

#include "base/simd.h"

namespace winnow {
namespace {

constexpr std::array<BackendTable, 2> kTables = {{
    {BackendKind::kCpu, "cpu", integral_cpu,
     [](const Cascade& cascade, const SieveRequest& request) {
       return make_sieve_cpu(cascade, request.threads);
     },
     group_cpu},
    {BackendKind::kReference, "reference", integral_ref,
     [](const Cascade& cascade, const SieveRequest&) { return make_sieve_ref(cascade); }, group_ref},
}};

// Lanes need SSSE3 at least (2006); see docs/design/004-dependencies.md.
bool has_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("ssse3") != 0;
#else
  return true;
#endif
}
constexpr const char* kNoLanes = "this processor has no SSSE3";
constexpr const char* kNoCuda = "this build has no CUDA backend";

}  // namespace

const char* backend_name(BackendKind kind) {
  switch (kind) {
    case BackendKind::kAuto:
      return "auto";
    case BackendKind::kReference:
      return "reference";
    case BackendKind::kCpu:
      return "cpu";
    case BackendKind::kCuda:
      return "cuda";
  }
  return "unknown";
}

BackendKind parse_backend(const std::string& name) {
  for (const BackendKind kind :
       {BackendKind::kAuto, BackendKind::kReference, BackendKind::kCpu, BackendKind::kCuda}) {
    if (name == backend_name(kind)) return kind;
  }
  throw Error(ErrorCode::kUsage,
              "there is no backend \"" + name + "\"; there are auto, reference, cpu and cuda");
}

const BackendTable& find_backend(BackendKind kind) {
  if (kind == BackendKind::kAuto) return kTables[has_lanes() ? 0 : 1];
  if (kind == BackendKind::kCpu && !has_lanes()) {
    throw Error(ErrorCode::kBackend, std::string("the backend cpu is not here: ") + kNoLanes);
  }
  for (const BackendTable& table : kTables) {
    if (table.kind == kind) return table;
  }
  throw Error(ErrorCode::kBackend,
              std::string("the backend ") + backend_name(kind) + " is not here: " + kNoCuda);
}

std::vector<BackendInfo> list_backends() {
  return {{BackendKind::kCpu, has_lanes(), has_lanes() ? simd_target() + ", threads" : kNoLanes},
          {BackendKind::kReference, true, "plain loops, one thread"},
          {BackendKind::kCuda, false, kNoCuda}};
}

std::vector<std::string> list_simd_targets() { return simd_targets(); }
void force_simd_target(const std::string& name) { simd_force(name); }

}  // namespace winnow
