#include "backend/backend.h"

#include <algorithm>
#include <optional>

#include <winnow/error.h>

#include "base/simd.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_fit.h"
#include "shape/shape_learner.h"
#include "track/flow/flow_runner.h"

namespace winnow {
namespace {

// All tables, in the order in which `auto` tries them.
std::vector<BackendTable>& tables() {
  // Never destroyed: a device may still be starting when the program ends.
  static auto& tables = *new std::vector<BackendTable>{cuda_table(), cpu_table(), reference_table()};
  return tables;
}

std::optional<AutoBackends>& forced_auto() {
  static std::optional<AutoBackends> forced;
  return forced;
}

BackendTable& table_of(BackendKind kind) {
  const auto at = std::find_if(tables().begin(), tables().end(),
                               [&](const BackendTable& table) { return table.kind == kind; });
  if (at == tables().end()) throw Error(ErrorCode::kUsage, "there is no such backend");
  return *at;
}

const LandmarkSteps* landmark_steps_of(const BackendTable& table, const std::string& kind) {
  const auto at = std::find_if(table.landmarks.begin(), table.landmarks.end(),
                               [&](const LandmarkSteps& steps) { return steps.kind == kind; });
  return at != table.landmarks.end() ? &*at : nullptr;
}

bool knows(const BackendTable& table, const std::string& kind) {
  return steps_of(table, kind) != nullptr || landmark_steps_of(table, kind) != nullptr;
}

const KindSteps& require_steps(const BackendTable& table, const DetectorModel& model) {
  if (const KindSteps* steps = steps_of(table, model.kind())) return *steps;
  throw Error(ErrorCode::kBackend,
              std::string("the backend ") + table.name + " knows no models of kind " + model.kind());
}

}  // namespace

const std::vector<BackendTable>& backend_tables() { return tables(); }

const KindSteps* steps_of(const BackendTable& backend, const std::string& model_kind) {
  const auto at = std::find_if(backend.kinds.begin(), backend.kinds.end(),
                               [&](const KindSteps& steps) { return steps.kind == model_kind; });
  return at != backend.kinds.end() ? &*at : nullptr;
}

const char* backend_name(BackendKind kind) {
  if (kind == BackendKind::kAuto) return "auto";
  for (const BackendTable& table : tables()) {
    if (table.kind == kind) return table.name;
  }
  return "unknown";
}

BackendKind parse_backend(const std::string& name) {
  if (name == "auto") return BackendKind::kAuto;
  std::string known = "auto";
  for (const BackendTable& table : tables()) {
    if (name == table.name) return table.kind;
    known += std::string(&table == &tables().back() ? " and " : ", ") + table.name;
  }
  throw Error(ErrorCode::kUsage, "there is no backend \"" + name + "\"; there are " + known);
}

const BackendTable& find_backend(BackendKind kind, const std::string& model_kind) {
  if (kind == BackendKind::kAuto) {
    for (const BackendTable& table : tables()) {
      if (!model_kind.empty() && !knows(table, model_kind)) continue;
      if (table.why_not().empty()) return table;
    }
    throw Error(ErrorCode::kBackend, "no backend here knows models of kind " + model_kind);
  }
  const BackendTable& table = table_of(kind);
  if (const std::string why = table.why_not(); !why.empty())
    throw Error(ErrorCode::kBackend, std::string("the backend ") + table.name + " is not here: " + why);
  return table;
}

AutoBackends auto_backends(const std::string& model_kind) {
  if (forced_auto()) return *forced_auto();
  AutoBackends found{BackendKind::kAuto};
  for (const BackendTable& table : tables()) {
    if (!table.built || (!model_kind.empty() && !knows(table, model_kind))) continue;
    if (table.start != nullptr) {
      if (found.start != nullptr || !table.start->may_run()) continue;
      found.later = table.kind;
      found.start = table.start;
    } else if (found.first == BackendKind::kAuto && table.why_not().empty()) {
      found.first = table.kind;
    }
  }
  if (found.first == BackendKind::kAuto)
    throw Error(ErrorCode::kBackend, "no backend here knows models of kind " + model_kind);
  return found;
}

void force_auto_backends(std::optional<AutoBackends> backends) { forced_auto() = backends; }

AutoInfo auto_info() {
  const AutoBackends backends = auto_backends();
  if (backends.start == nullptr || !table_of(backends.later).why_not().empty()) return {backends.first};
  return {backends.first, backends.later, kWorthStarts * backends.start->seconds};
}

const DeviceStart* start_of(BackendKind backend) { return find_backend(backend).start; }

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

std::unique_ptr<ShapeFitter> make_shape_fitter(const BackendTable& backend, SharedShapeProgram program,
                                               const StepPlace& place) {
  if (const LandmarkSteps* steps = landmark_steps_of(backend, kLandmarkKind))
    return steps->make_fitter(std::move(program), place);
  throw Error(ErrorCode::kBackend, std::string("the backend ") + backend.name + " marks no landmarks");
}

std::unique_ptr<ShapeLearner> make_shape_learner(const BackendTable& backend, const StepPlace& place) {
  const LandmarkSteps* steps = landmark_steps_of(backend, kLandmarkKind);
  if (steps == nullptr || steps->make_learner == nullptr)
    throw Error(ErrorCode::kBackend, std::string("the backend ") + backend.name + " trains no landmarks");
  return steps->make_learner(place);
}

std::unique_ptr<Pipeline> make_marking_pipeline(const BackendTable& backend, const DetectorModel& model,
                                                const StepPlace& place, const ShapeMarks& marks) {
  const KindSteps& steps = require_steps(backend, model);
  if (steps.make_marking_pipeline == nullptr) return make_pipeline(backend, model, place);
  return steps.make_marking_pipeline(model, place, backend.merge, marks);
}

std::unique_ptr<FlowRunner> make_flow_runner(const BackendTable& backend, const StepPlace& place) {
  if (backend.make_flow != nullptr) return backend.make_flow(place);
  throw Error(ErrorCode::kBackend, std::string("the backend ") + backend.name + " carries no points");
}

void check_devices(const std::vector<int>& devices) {
  if (devices.empty()) throw Error(ErrorCode::kUsage, "there must be a device");
}

void add_kind_steps(BackendKind backend, const KindSteps& steps) {
  if (backend == BackendKind::kAuto)
    throw Error(ErrorCode::kUsage, "steps belong to one backend, and auto is none");
  BackendTable& table = table_of(backend);
  if (!table.built) throw Error(ErrorCode::kBackend, table.why_not());
  std::erase_if(table.kinds, [&](const KindSteps& old) { return old.kind == steps.kind; });
  table.kinds.push_back(steps);
}

std::vector<BackendInfo> list_backends() {
  std::vector<BackendInfo> list;
  for (const BackendTable& table : tables()) {
    const std::string why = table.why_not();
    list.push_back({table.kind, why.empty(), why.empty() ? table.detail() : why});
  }
  return list;
}

std::vector<std::string> list_simd_targets() { return simd_targets(); }
void force_simd_target(const std::string& name) { simd_force(name); }

}  // namespace winnow
