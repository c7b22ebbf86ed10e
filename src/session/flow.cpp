// Checks pictures and options for `Flow`, and passes points to the backend's runner.
#include <winnow/flow.h>

#include <cmath>

#include <winnow/error.h>

#include "backend/backend.h"
#include "base/threads.h"
#include "session/flow_result.h"
#include "track/flow/flow_runner.h"

namespace winnow {
namespace {

constexpr int kMaxSide = 1 << 16, kMostLevels = 16, kMostIterations = 100;
constexpr double kMostEps = 10;

void check(GrayView picture) {
  if (picture.empty()) throw Error(ErrorCode::kUsage, "a picture for flow must have pixels");
  if (picture.data == nullptr) throw Error(ErrorCode::kUsage, "a picture without pixels");
  if (picture.width > kMaxSide || picture.height > kMaxSide)
    throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
}

bool is_window_side(int side) { return side >= 3 && side <= kMostFlowWindow && side % 2 == 1; }

FlowRules rules_of(const FlowOptions& options) {
  if (options.levels < 1 || options.levels > kMostLevels)
    throw Error(ErrorCode::kUsage, "the levels of flow must be from 1 to 16");
  if (!is_window_side(options.window.width) || !is_window_side(options.window.height))
    throw Error(ErrorCode::kUsage, "a window for flow must have odd sides from 3 to 31 pixels");
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
          options.ncc};
}

int checked(int threads) {
  check_threads(threads);
  return threads;
}

}  // namespace

struct Flow::State {
  const BackendTable* table;
  int threads;
  std::unique_ptr<FlowRunner> runner;
  std::vector<FlowPlace> places;
  std::vector<FlowResult> results;

  explicit State(const MachineOptions& machine)
      : table(&find_backend(machine.backend)), threads(table->threads(checked(machine.threads))) {
    check_devices(machine.devices);
    runner = make_flow_runner(*table, {threads, machine.devices});
  }

  void carry(std::span<const LandmarkPoint> points, const FlowRules& rules, std::vector<FlowPoint>& found) {
    places.resize(points.size());
    results.resize(points.size());
    found.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      places[i] = {static_cast<float>(points[i].x), static_cast<float>(points[i].y)};
    if (!points.empty()) runner->carry(places, rules, results.data());
    for (std::size_t i = 0; i < points.size(); ++i) found[i] = flow_point(results[i]);
  }
};

Flow::Flow(const MachineOptions& machine) : state_(std::make_unique<State>(machine)) {}
Flow::~Flow() = default;
Flow::Flow(Flow&&) noexcept = default;
Flow& Flow::operator=(Flow&&) noexcept = default;

BackendKind Flow::backend() const { return state_->table->kind; }
int Flow::threads() const { return state_->threads; }

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
  FlowRunner& runner = *state_->runner;
  runner.forget();
  runner.keep(before, rules);
  runner.keep(after, rules);
  state_->carry(points, rules, found);
  runner.forget();
}

bool Flow::next(GrayView frame, std::span<const LandmarkPoint> points, const FlowOptions& options,
                std::vector<FlowPoint>& found) {
  const FlowRules rules = rules_of(options);
  check(frame);
  state_->runner->keep(frame, rules);
  found.clear();
  if (!state_->runner->has_before()) return false;
  state_->carry(points, rules, found);
  return true;
}

void Flow::forget() { state_->runner->forget(); }

}  // namespace winnow
