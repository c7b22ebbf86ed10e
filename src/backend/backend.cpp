#include "backend/backend.h"

#include <array>

#include <winnow/error.h>

#include "base/simd.h"
#ifdef WINNOW_HAVE_CUDA
#include "base/cuda_device.h"
#endif

namespace winnow {
namespace {

constexpr auto kTables = std::to_array<BackendTable>({
    {BackendKind::kCpu, "cpu",
     [](const Cascade& cascade, const SieveRequest& request) {
       return make_sieve_cpu(cascade, request.threads);
     },
     group_cpu},
    {BackendKind::kReference, "reference",
     [](const Cascade& cascade, const SieveRequest&) { return make_sieve_ref(cascade); }, group_ref},
#ifdef WINNOW_HAVE_CUDA
    {BackendKind::kCuda, "cuda",
     [](const Cascade& cascade, const SieveRequest& request) {
       return make_sieve_cuda(cascade, request.device);
     },
     group_cuda},
#endif
});

// Lanes need SSSE3 at least (2006); see docs/design/004-dependencies.md.
bool has_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("ssse3") != 0;
#else
  return true;
#endif
}
constexpr const char* kNoLanes = "this processor has no SSSE3";

// What keeps the cuda backend from this machine; empty if nothing does. `detail`: its devices.
std::string no_cuda([[maybe_unused]] std::string* detail = nullptr) {
#ifdef WINNOW_HAVE_CUDA
  std::string why;
  for (const CudaDeviceInfo& device : cuda_devices(&why)) {
    if (!device.usable) {
      why = device.why_not;
      continue;
    }
    if (detail != nullptr) {
      *detail += (detail->empty() ? "" : ", ") + std::to_string(device.number) + ": " + device.name + ", " +
                 std::to_string(device.memory >> 30) + " GiB";
    }
    why.clear();
  }
  return why;
#else
  return "this build has no CUDA backend";
#endif
}

// The fastest that is here.
BackendKind auto_kind() {
  if (no_cuda().empty()) return BackendKind::kCuda;
  return has_lanes() ? BackendKind::kCpu : BackendKind::kReference;
}

const BackendTable& table_of(BackendKind kind) {
  for (const BackendTable& table : kTables) {
    if (table.kind == kind) return table;
  }
  throw Error(ErrorCode::kBackend, std::string("there is no backend ") + backend_name(kind));
}

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
  if (kind == BackendKind::kAuto) return table_of(auto_kind());
  if (kind == BackendKind::kCpu && !has_lanes()) {
    throw Error(ErrorCode::kBackend, std::string("the backend cpu is not here: ") + kNoLanes);
  }
  if (const std::string why = kind == BackendKind::kCuda ? no_cuda() : ""; !why.empty())
    throw Error(ErrorCode::kBackend, "the backend cuda is not here: " + why);
  return table_of(kind);
}

std::vector<BackendInfo> list_backends() {
  std::string devices;
  const std::string why = no_cuda(&devices);
  return {{BackendKind::kCpu, has_lanes(), has_lanes() ? simd_target() + ", threads" : kNoLanes},
          {BackendKind::kReference, true, "plain loops, one thread"},
          {BackendKind::kCuda, why.empty(), why.empty() ? devices : why}};
}

std::vector<std::string> list_simd_targets() { return simd_targets(); }
void force_simd_target(const std::string& name) { simd_force(name); }

}  // namespace winnow
