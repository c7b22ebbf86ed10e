#include "backend/backend.h"

#include <algorithm>

#include <winnow/error.h>

#include "base/simd.h"

namespace winnow {
namespace {

// The tables of this build, the fastest backend first.
std::vector<BackendTable>& tables() {
  static std::vector<BackendTable> tables = [] {
    std::vector<BackendTable> list;
#ifdef WINNOW_HAVE_CUDA
    list.push_back(cuda_table());
#endif
    list.push_back(cpu_table());
    list.push_back(reference_table());
    return list;
  }();
  return tables;
}

BackendTable* table_of(BackendKind kind) {
  const auto at = std::find_if(tables().begin(), tables().end(),
                               [&](const BackendTable& table) { return table.kind == kind; });
  return at != tables().end() ? &*at : nullptr;
}

// Why this build or machine lacks a backend; "" if it can run.
std::string why_not(BackendKind kind) {
  const BackendTable* table = table_of(kind);
  if (table != nullptr) return table->why_not();
  return "this build has no CUDA backend";  // the other tables are in every build
}

const KindSteps* steps_of(const BackendTable& table, const std::string& kind) {
  const auto at = std::find_if(table.kinds.begin(), table.kinds.end(),
                               [&](const KindSteps& steps) { return steps.kind == kind; });
  return at != table.kinds.end() ? &*at : nullptr;
}

const KindSteps& require_steps(const BackendTable& table, const DetectorModel& model) {
  if (const KindSteps* steps = steps_of(table, model.kind())) return *steps;
  throw Error(ErrorCode::kBackend,
              std::string("the backend ") + table.name + " knows no models of kind " + model.kind());
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

const BackendTable& find_backend(BackendKind kind, const std::string& model_kind) {
  if (kind == BackendKind::kAuto) {
    for (const BackendTable& table : tables()) {
      if (!model_kind.empty() && steps_of(table, model_kind) == nullptr) continue;
      if (table.why_not().empty()) return table;
    }
    throw Error(ErrorCode::kBackend, "no backend here knows models of kind " + model_kind);
  }
  if (const std::string why = why_not(kind); !why.empty())
    throw Error(ErrorCode::kBackend,
                std::string("the backend ") + backend_name(kind) + " is not here: " + why);
  return *table_of(kind);
}

std::unique_ptr<Sieve> make_sieve(const BackendTable& backend, const DetectorModel& model,
                                  const StepPlace& place) {
  return require_steps(backend, model).make_sieve(model, place);
}

std::unique_ptr<Pipeline> make_pipeline(const BackendTable& backend, const DetectorModel& model,
                                        const StepPlace& place) {
  const KindSteps& steps = require_steps(backend, model);
  if (steps.make_pipeline != nullptr) return steps.make_pipeline(model, place, backend.merge);
  return make_host_pipeline(steps.make_sieve(model, place), backend.merge);
}

const TrainSteps& find_train_steps(BackendKind kind) {
  const BackendTable& table = find_backend(kind);
  if (table.training == nullptr)
    throw Error(ErrorCode::kBackend, std::string("the backend ") + table.name + " has no training");
  return *table.training;
}

void check_devices(const std::vector<int>& devices) {
  if (devices.empty()) throw Error(ErrorCode::kUsage, "there must be a device");
}

void add_kind_steps(BackendKind backend, const KindSteps& steps) {
  if (backend == BackendKind::kAuto)
    throw Error(ErrorCode::kUsage, "steps belong to one backend: cpu, reference or cuda");
  BackendTable* table = table_of(backend);
  if (table == nullptr) throw Error(ErrorCode::kBackend, why_not(backend));
  std::erase_if(table->kinds, [&](const KindSteps& old) { return old.kind == steps.kind; });
  table->kinds.push_back(steps);
}

std::vector<BackendInfo> list_backends() {
  std::vector<BackendInfo> list;
  for (const BackendKind kind : {BackendKind::kCpu, BackendKind::kReference, BackendKind::kCuda}) {
    const std::string why = why_not(kind);
    list.push_back({kind, why.empty(), why.empty() ? table_of(kind)->detail() : why});
  }
  return list;
}

std::vector<std::string> list_simd_targets() { return simd_targets(); }
void force_simd_target(const std::string& name) { simd_force(name); }

}  // namespace winnow
