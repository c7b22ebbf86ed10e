// Checks pictures and options for `Flow`, and passes points to the backend's runner.
#include <winnow/flow.h>

#include <cmath>
#include <utility>

#include <winnow/error.h>

#include "backend/auto_engine.h"
#include "backend/backend.h"
#include "base/threads.h"
#include "session/last_frame.h"
#include "session/tracking/frame_check.h"
#include "track/flow/flow_runner.h"

namespace winnow {
namespace {

constexpr int kMostLevels = 16, kMostIterations = 100;
constexpr double kMostEps = 10;

void check(GrayView picture) { check_frame(picture, "a picture for flow"); }

bool is_window_side(int side) { return side >= 3 && side <= kMostFlowWindow && side % 2 == 1; }

FlowRules rules_of(const FlowOptions& options) {
  if (options.levels < 1 || options.levels > kMostLevels)
    throw Error(ErrorCode::kUsage, "the levels of flow must be from 1 to 16");
  if (!is_window_side(options.window.width) || !is_window_side(options.window.height))
    throw Error(ErrorCode::kUsage, "a window for flow must have odd sides from 3 to 31 pixels");
  if (options.ncc_window != Size{} &&
      (!is_window_side(options.ncc_window.width) || !is_window_side(options.ncc_window.height)))
    throw Error(ErrorCode::kUsage, "a window for ncc must have odd sides from 3 to 31 pixels");
  if (options.iterations < 1 || options.iterations > kMostIterations)
    throw Error(ErrorCode::kUsage, "the iterations of flow must be from 1 to 100");
  if (!(options.eps >= 0 && options.eps <= kMostEps))
    throw Error(ErrorCode::kUsage, "eps of flow must be a number from 0 to 10");
  if (!(options.min_eigen >= 0)) throw Error(ErrorCode::kUsage, "min_eigen of flow must be 0 or more");
  return {options.levels,
          options.window.width,
          options.window.height,
          options.iterations,
          options.eps * options.eps,
          static_cast<float>(options.min_eigen),
          options.back,
          options.ncc,
          options.ncc_window.width,
          options.ncc_window.height};
}

}  // namespace

// What a flow has for one backend.
struct FlowEngine {
  const BackendTable* table;
  int threads;
  std::unique_ptr<FlowRunner> runner;

  FlowEngine(const BackendTable& backend, const MachineOptions& machine)
      : table(&backend),
        threads(backend.threads(machine.threads)),
        runner(make_flow_runner(backend, {threads, machine.devices})) {}
};

namespace {

AutoEngine<FlowEngine> make_engines(const MachineOptions& machine) {
  check_threads(machine.threads);
  check_devices(machine.devices);
  const AutoBackends backends = backends_for(machine.backend);
  return AutoEngine<FlowEngine>(
      std::make_unique<FlowEngine>(find_backend(backends.first), machine), backends.start, machine.devices,
      [kind = backends.later, machine] { return std::make_unique<FlowEngine>(find_backend(kind), machine); });
}

}  // namespace

struct Flow::State {
  AutoEngine<FlowEngine> engines;
  const FlowEngine* newest = nullptr;  // has the newest frame; null if no frame is kept; never dereferenced
  LastFrame last;                      // the newest frame, if another engine may have to go on with it
  std::vector<FlowPlace> places;
  std::vector<FlowResult> results;

  explicit State(const MachineOptions& machine) : engines(make_engines(machine)) {}

  void carry(FlowEngine& engine, std::span<const LandmarkPoint> points, const FlowRules& rules,
             std::vector<FlowPoint>& found) {
    places.resize(points.size());
    results.resize(points.size());
    found.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      places[i] = {static_cast<float>(points[i].x), static_cast<float>(points[i].y)};
    if (!points.empty()) engine.runner->carry(places, rules, results.data());
    for (std::size_t i = 0; i < points.size(); ++i) found[i] = flow_point(results[i]);
  }

  void forget() {
    newest = nullptr;
    engines.first().runner->forget();
    if (FlowEngine* device = engines.awake()) device->runner->forget();
  }

  // Takes the next frame in an engine. Returns false if it has no frame before it.
  bool next(FlowEngine& engine, GrayView frame, std::span<const LandmarkPoint> points, const FlowRules& rules,
            std::vector<FlowPoint>& found) {
    if (newest != &engine) engine.runner->forget();
    if (newest != nullptr && newest != &engine) engine.runner->keep(last.view(), rules);
    engine.runner->keep(frame, rules);
    found.clear();
    if (!engine.runner->has_before()) return false;
    carry(engine, points, rules, found);
    return true;
  }
};

Flow::Flow(const MachineOptions& machine) : state_(std::make_unique<State>(machine)) {}
Flow::~Flow() = default;
Flow::Flow(Flow&&) noexcept = default;
Flow& Flow::operator=(Flow&&) noexcept = default;

BackendKind Flow::backend() const {
  return state_->engines.may_have_device() ? BackendKind::kAuto : state_->engines.first().table->kind;
}
std::string Flow::note() const { return state_->engines.note(); }
int Flow::threads() const { return state_->engines.first().threads; }

std::vector<FlowPoint> Flow::track(GrayView before, GrayView after, std::span<const LandmarkPoint> points,
                                   const FlowOptions& options) {
  std::vector<FlowPoint> found;
  track(before, after, points, options, found);
  return found;
}

void Flow::track(GrayView before, GrayView after, std::span<const LandmarkPoint> points,
                 const FlowOptions& options, std::vector<FlowPoint>& found) {
  const FlowRules rules = rules_of(options);
  check(before);
  check(after);
  if (before.size() != after.size())
    throw Error(ErrorCode::kUsage, "the two pictures for flow must have the same size");
  state_->forget();
  state_->engines.run(points.size(), 0, [&](FlowEngine& engine) {
    engine.runner->forget();
    engine.runner->keep(before, rules);
    engine.runner->keep(after, rules);
    state_->carry(engine, points, rules, found);
    engine.runner->forget();
  });
}

bool Flow::next(GrayView frame, std::span<const LandmarkPoint> points, const FlowOptions& options,
                std::vector<FlowPoint>& found) {
  const FlowRules rules = rules_of(options);
  check(frame);
  State& state = *state_;
  bool has_before = false;
  state.engines.run(points.size(), 0, [&](FlowEngine& engine) {
    has_before = state.next(engine, frame, points, rules, found);
    state.newest = &engine;
  });
  if (state.engines.may_have_device()) state.last.take(frame);
  return has_before;
}

void Flow::forget() { state_->forget(); }

}  // namespace winnow
