// Compares flow on a device with `reference`: single pairs of pictures, and lists of points in a batch of
// frames.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"
#include "track/flow/flow_runner.h"
#include "track/flow/flow_scenes_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"
#include "scale/frames/frame.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "track/flow/flow_steps_cuda.h"

namespace winnow {
namespace {

using namespace sample;

TEST(FlowCuda, GivesTheBitsOfTheReference) {
  WINNOW_NEEDS_DEVICE();
  const auto runner = make_flow_runner_cuda(0);
  for (const FlowCase& each : flow_cases()) {
    for (const int points : {1, 40, 300}) {
      FlowScene scene = flow_scene(each.width, each.height, 29, -13, 4);
      add_points(scene, points, 7);
      std::vector<FlowResult> got(scene.points.size());
      runner->forget();
      runner->keep(scene.before(), each.rules);
      EXPECT_FALSE(runner->has_before());
      runner->keep(scene.now(), each.rules);
      ASSERT_TRUE(runner->has_before());
      runner->carry(scene.points, each.rules, got.data());
      EXPECT_TRUE(same_results(got, carried(flow_ref, scene, each.rules)))
          << each.width << "x" << each.height << ", window " << each.rules.width << "x" << each.rules.height
          << ", ncc " << each.rules.ncc_width << "x" << each.rules.ncc_height << ", " << points << " points";
    }
  }
}

TEST(FlowCuda, ARunnerCarriesByTheRulesOfEachCall) {
  WINNOW_NEEDS_DEVICE();
  FlowScene scene = flow_scene(160, 120, 29, -13, 4);
  add_points(scene, 60, 7);
  const auto runner = make_flow_runner_cuda(0);
  runner->keep(scene.before(), {.levels = 2});
  runner->keep(scene.now(), {.levels = 1});
  for (const FlowRules& rules : {FlowRules{.levels = 4, .iterations = 3}, FlowRules{.levels = 1}}) {
    std::vector<FlowResult> got(scene.points.size());
    runner->carry(scene.points, rules, got.data());
    EXPECT_TRUE(same_results(got, carried(flow_ref, scene, rules))) << rules.levels;
  }
}

// Frames of a batch, one after the other, and their pyramids.
struct DeviceFrames {
  DeviceBuffer<std::uint8_t> pixels;
  DeviceGaussianPyramid pyramid;

  DeviceFrames(const std::vector<GrayView>& frames, const FlowRules& rules) {
    const Size size = frames[0].size();
    const auto bytes = static_cast<std::size_t>(frame_bytes(size));
    std::vector<std::uint8_t> staged(bytes * frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i)
      stage_rows(frames[i], {0, size.height}, staged.data() + i * bytes);
    upload(std::span<const std::uint8_t>(staged), pixels);
    pyramid.plan(size, flow_levels(size.width, size.height, rules), static_cast<int>(frames.size()));
    pyramid.enqueue(pixels.data(), static_cast<int>(frames.size()), nullptr);
    check_cuda(cudaDeviceSynchronize(), "making pyramids");
  }
  GaussianPyramidView view() const { return pyramid.view(pixels.data()); }
};

// Carries lists of several lengths in a graph, with 1, 2 and 4 warps. Results after a list's end stay as is.
TEST(FlowCuda, ListsOfABatchInAGraph) {
  WINNOW_NEEDS_DEVICE();
  constexpr int kPitch = 50;
  const std::vector<int> lengths = {50, 0, 7, 90};  // 90 counts as 50, the most points of a list
  std::vector<std::pair<Size, Size>> windows = flow_ncc_windows();
  for (const Size window : {Size{21, 21}, Size{31, 31}, Size{5, 9}}) windows.emplace_back(window, window);
  for (const auto& [window, ncc] : windows) {
    const FlowRules rules = rules_of(window, ncc);
    std::vector<FlowScene> scenes;
    std::vector<GrayView> before, now;
    std::vector<FlowPlace> points;
    std::vector<FlowResult> wanted;
    FlowResult untouched;
    untouched.error = 77;
    scenes.reserve(lengths.size());  // `before` and `now` point into the scenes
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      FlowScene& scene = scenes.emplace_back(flow_scene(130, 90, 20, 10, 5));
      add_points(scene, kPitch - 6, static_cast<unsigned>(i));
      before.push_back(scene.before());
      now.push_back(scene.now());
      points.insert(points.end(), scene.points.begin(), scene.points.end());
      std::vector<FlowResult> results = carried(flow_ref, scene, rules);
      for (int k = lengths[i]; k < kPitch; ++k) results[static_cast<std::size_t>(k)] = untouched;
      wanted.insert(wanted.end(), results.begin(), results.end());
    }
    const DeviceFrames before_frames(before, rules), now_frames(now, rules);
    DeviceBuffer<FlowPlace> device_points;
    DeviceBuffer<std::int32_t> counts;
    DeviceBuffer<FlowResult> results;
    upload(std::span<const FlowPlace>(points), device_points);
    upload(std::span<const std::int32_t>(lengths), counts);
    const CudaStream stream = make_stream();
    for (const int warps : {1, 2, 4}) {
      upload(std::span<const FlowResult>(std::vector<FlowResult>(wanted.size(), untouched)), results);
      const DeviceFlow flow(rules, warps);
      const DeviceFlowLists lists{device_points.data(), counts.data(), static_cast<int>(lengths.size()),
                                  kPitch};
      const std::int64_t allocated = cuda_allocations();
      const CudaGraph graph = capture_graph(stream.get(), [&](cudaStream_t on) {
        flow.enqueue(before_frames.view(), now_frames.view(), lists, results.data(), on);
      });
      for (int run = 0; run < 2; ++run)
        check_cuda(cudaGraphLaunch(graph.get(), stream.get()), "carrying points");
      check_cuda(cudaStreamSynchronize(stream.get()), "carrying points");
      EXPECT_EQ(cuda_allocations(), allocated);
      std::vector<FlowResult> got(wanted.size());
      check_cuda(
          cudaMemcpy(got.data(), results.data(), got.size() * sizeof(FlowResult), cudaMemcpyDeviceToHost),
          "copying points from the device");
      EXPECT_TRUE(same_results(got, wanted))
          << window.width << "x" << window.height << ", " << ncc.width << "x" << ncc.height << ", " << warps;
    }
  }
}

}  // namespace
}  // namespace winnow

#endif
