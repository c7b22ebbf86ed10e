// winnow_flow_cuda: times flow of one frame on a device, with both pictures in device memory, and compares
// the results with `reference`.
//   pyramids: the halves of both frames
//   flow: the points, with blocks of 1, 2 and 4 warps
//   graph: pyramid of the newest frame and flow, as one graph
// Two picture files may be given. Without files, the program uses a smooth picture and a moved copy of it.
#include <winnow/error.h>
#include <winnow/image.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "results_file.h"
#include "scale/frames/frame.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "track/flow/flow_scenes_for_test.h"
#include "track/flow/flow_steps_cuda.h"

namespace {

using namespace winnow;

// A picture and its pyramid on the device.
struct DeviceFrame {
  DeviceBuffer<std::uint8_t> pixels;
  DeviceGaussianPyramid pyramid;

  DeviceFrame(GrayView picture, const FlowRules& rules) {
    std::vector<std::uint8_t> staged(static_cast<std::size_t>(frame_bytes(picture.size())));
    stage_rows(picture, {0, picture.height}, staged.data());
    upload(std::span<const std::uint8_t>(staged), pixels);
    pyramid.plan(picture.size(), flow_levels(picture.width, picture.height, rules), 1);
  }
  void make(cudaStream_t stream) const { pyramid.enqueue(pixels.data(), 1, stream); }
  GaussianPyramidView view() const { return pyramid.view(pixels.data()); }
};

std::vector<FlowPlace> random_points(Size size, int count) {
  std::mt19937 random(5);
  std::vector<FlowPlace> points;
  for (int i = 0; i < count; ++i)
    points.push_back({static_cast<float>(random() % static_cast<unsigned>(4 * size.width)) / 4,
                      static_cast<float>(random() % static_cast<unsigned>(4 * size.height)) / 4});
  return points;
}

std::vector<FlowResult> reference(GrayView before, GrayView now, const std::vector<FlowPlace>& points,
                                  const FlowRules& rules) {
  GaussianPyramid first, second;
  const int levels = flow_levels(before.width, before.height, rules);
  first.make(before, levels, halve_ref);
  second.make(now, levels, halve_ref);
  std::vector<FlowResult> results(points.size());
  flow_ref(first, second, points, rules, 1, results.data());
  return results;
}

// Times lists of `count` points. Returns false if a result differs from `reference`.
bool time_points(GrayView before, GrayView now, int count, int repeat, bench::ResultList& list) {
  const FlowRules rules;
  const DeviceFrame first(before, rules), second(now, rules);
  const std::vector<FlowPlace> points = random_points(before.size(), count);
  const std::vector<FlowResult> wanted = reference(before, now, points, rules);
  DeviceBuffer<FlowPlace> device_points;
  DeviceBuffer<std::int32_t> counts;
  DeviceBuffer<FlowResult> results(points.size());
  upload(std::span<const FlowPlace>(points), device_points);
  upload(std::span<const std::int32_t>(&count, 1), counts);
  const CudaStream stream = make_stream();
  const auto add = [&](const std::string& what, double us) { list.rows.push_back({what, count, us}); };
  add("pyramids", bench::median_us(repeat, stream.get(), [&] {
        first.make(stream.get());
        second.make(stream.get());
      }));
  bool good = true;
  for (const int warps : {1, 2, 4}) {
    const DeviceFlow flow(rules, warps);
    const auto enqueue = [&](cudaStream_t on) {
      flow.enqueue(first.view(), second.view(), {device_points.data(), counts.data(), 1, count},
                   results.data(), on);
    };
    const std::string name = std::to_string(warps) + (warps == 1 ? " warp" : " warps");
    add("flow, " + name, bench::median_us(repeat, stream.get(), [&] { enqueue(stream.get()); }));
    std::vector<FlowResult> got(points.size());
    check_cuda(
        cudaMemcpy(got.data(), results.data(), got.size() * sizeof(FlowResult), cudaMemcpyDeviceToHost),
        "copying points from the device");
    const bool same = sample::same_results(got, wanted);
    if (!same) std::printf("%d points, %s: DIFFERENT from reference\n", count, name.c_str());
    good = good && same;
    const CudaGraph graph = capture_graph(stream.get(), [&](cudaStream_t on) {
      second.make(on);
      enqueue(on);
    });
    add("graph, " + name, bench::median_us(repeat, stream.get(), [&] {
          check_cuda(cudaGraphLaunch(graph.get(), stream.get()), "carrying points");
        }));
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times flow on a device.");
  int repeat = 200;
  bench::ResultOptions out;
  std::vector<std::string> files;
  app.add_option("--repeat", repeat)->check(CLI::Range(1, 100000));
  app.add_option("--results", out.file);
  app.add_option("--device", out.device);
  app.add_option("--commit", out.commit);
  app.add_option("PICTURE", files, "the pictures before and after")->expected(0, 2);
  CLI11_PARSE(app, argc, argv);
  try {
    require_cuda_device(0);
    if (out.device.empty()) out.device = cuda_devices().front().name;
    Picture before, now;
    const sample::FlowScene scene = sample::flow_scene(1280, 720, 45, -26, 3);
    GrayView first = scene.before(), second = scene.now();
    if (files.size() == 2) {
      before = read_picture(files[0]);
      now = read_picture(files[1]);
      first = before.gray.view();
      second = now.gray.view();
    }
    bench::ResultList list{.name = "flow_device",
                           .title = "Flow between two pictures on the device",
                           .unit = "microseconds",
                           .command = "winnow_flow_cuda",
                           .about = std::to_string(first.width) + "x" + std::to_string(first.height) +
                                    ", four levels, windows of 21 x 21; medians of " +
                                    std::to_string(repeat) + " runs by device events.",
                           .columns = {"what", "points", "us"},
                           .by = {{"what", "work"}, {"points", "points"}},
                           .values = {{"us", "us", 1}}};
    bool good = first.size() == second.size();
    if (!good) throw Error(ErrorCode::kUsage, "the two pictures for flow must have the same size");
    for (const int count : {68, 1000}) good = time_points(first, second, count, repeat, list) && good;
    bench::print_results(list);
    std::printf("%s\n", good ? "every result equals that of reference" : "RESULTS DIFFER");
    if (!out.file.empty()) bench::write_results(out.file, {"flow", "", out.device, out.commit}, {list});
    return good ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "winnow_flow_cuda: %s\n", error.what());
    return 1;
  }
}
