// Makes the table of flow's speed by number of points, levels, window size and iterations.
#include <winnow/flow.h>

#include <algorithm>
#include <random>
#include <utility>

#include "faces/call_time.h"
#include "faces/step_tables.h"
#include "track/flow/flow_scenes_for_test.h"

namespace bench {
namespace {

std::vector<winnow::LandmarkPoint> random_points(winnow::Size size, int count) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<double>(random() % static_cast<unsigned>(4 * n)) / 4; };
  std::vector<winnow::LandmarkPoint> points(static_cast<std::size_t>(count));
  for (winnow::LandmarkPoint& point : points) {
    point.x = below(size.width);
    point.y = below(size.height);
  }
  return points;
}

}  // namespace

std::vector<winnow::FlowOptions> flow_setups() {
  const winnow::FlowOptions thesis{.levels = 3, .window = {21, 21}, .iterations = 30};
  std::vector<winnow::FlowOptions> setups = {thesis};
  for (const int levels : {1, 2, 4, 5}) setups.push_back(thesis), setups.back().levels = levels;
  for (const int side : {11, 31}) setups.push_back(thesis), setups.back().window = {side, side};
  for (const int iterations : {5, 10}) setups.push_back(thesis), setups.back().iterations = iterations;
  setups.push_back({.levels = 5, .window = {31, 31}, .iterations = 30});
  return setups;
}

ResultList flow_results(std::span<const int> counts, winnow::Size size, const TableRun& run) {
  winnow::Flow flow(run.machine);
  const Calls calls = calls_on(run.machine, run.repeat);
  const std::string backend = winnow::backend_name(flow.backend());
  ResultList list{"face_flow_" + backend,
                  "Flow by points, levels, windows and iterations on `" + backend + "`",
                  "frames a second; percent of the points",
                  run.command,
                  "Two frames of " + std::to_string(size.width) + "x" + std::to_string(size.height) +
                      " take turns. The second is the first, moved by 3 pixels and sheared. "
                      "Points are random places in the frame. "
                      "Each call brings a frame, makes its pyramid once, and carries all points. "
                      "A level ends early where a point moves by 0.01 pixels or less, "
                      "so few points take all iterations. " +
                      calls_in_words(calls) +
                      "The thesis has the first row's setup in its pipeline. For its other values it prints "
                      "the ends of the range, and that it reaches more than 100 with three levels.",
                  {"on", "levels", "window", "iterations", "points", "found", "rate"},
                  {{"on", "on"},
                   {"levels", "levels"},
                   {"window", "window"},
                   {"iterations", "iterations"},
                   {"points", "points"}},
                  {{"found", "found", 1}, {"rate", "frames a second", 0}}};
  const winnow::sample::FlowScene scene = winnow::sample::flow_scene(size.width, size.height, 45, -26, 3);
  for (const winnow::FlowOptions& options : flow_setups()) {
    for (const int count : counts) {
      const std::vector<winnow::LandmarkPoint> points = random_points(size, count);
      std::vector<winnow::FlowPoint> found;
      int number = 0;
      flow.forget();
      const double ms = median_milliseconds(calls, [&] {
        flow.next(number++ % 2 == 0 ? scene.before() : scene.now(), points, options, found);
      });
      const auto good =
          std::count_if(found.begin(), found.end(), [](const auto& point) { return point.found; });
      list.rows.push_back({"this machine", options.levels,
                           std::to_string(options.window.width) + "x" + std::to_string(options.window.height),
                           options.iterations, count, 100 * static_cast<double>(good) / count, 1e3 / ms});
    }
  }
  for (const auto& [which, rate] :
       {std::pair("three levels, more than", 100), {"its slowest", 68}, {"its fastest", 430}})
    list.rows.push_back({std::string("the thesis, iPhone 7: ") + which, "", "", "", "", nullptr, rate});
  return list;
}

}  // namespace bench
