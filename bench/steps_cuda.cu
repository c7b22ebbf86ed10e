// winnow_steps_cuda: where a frame's time goes on a device, step by step, for batches of pictures in device
// memory. Times are medians of device events; the copy bandwidth of the same device is measured in the same
// run.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/cuda_device.h"
#include "base/cuda_memory.h"
#include "scale/plan.h"
#include "scale/pyramid_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace {

using namespace winnow;

double median_us(int repeat, cudaStream_t stream, const std::function<void()>& work) {
  const CudaEvent start = make_event(true), end = make_event(true);
  std::vector<float> times;
  for (int i = 0; i < repeat + 2; ++i) {
    check_cuda(cudaEventRecord(start.get(), stream), "recording");
    work();
    check_cuda(cudaEventRecord(end.get(), stream), "recording");
    check_cuda(cudaEventSynchronize(end.get()), "waiting");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, start.get(), end.get()), "timing");
    if (i >= 2) times.push_back(ms * 1000);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  std::string model;
  std::vector<std::string> images;
  int batch = 64, repeat = 20, min_size = 0;
  CLI::App app("Times the steps of the cuda backend.");
  app.add_option("-m,--model", model, "a cascade")->required();
  app.add_option("--batch", batch, "frames at a time");
  app.add_option("--repeat", repeat, "runs of each step");
  app.add_option("--min-size", min_size, "the smallest object's side");
  app.add_option("IMAGE", images, "pictures of one size")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<Picture> pictures;
    for (const std::string& name : images) pictures.push_back(read_picture(name));
    const Size size = pictures.front().gray.view().size();
    const Cascade cascade = Cascade::load(model);
    LevelPlan plan;
    plan_levels({size, cascade.window(), 1.1, {min_size, min_size}, {}}, plan);

    const CudaStream stream = make_stream();
    const auto bytes = static_cast<std::size_t>(frame_bytes(size));
    PinnedBuffer<std::uint8_t> host(bytes * static_cast<std::size_t>(batch));
    DeviceBuffer<std::uint8_t> frames(bytes * static_cast<std::size_t>(batch));
    std::memset(host.data(), 0, host.size());
    for (int i = 0; i < batch; ++i) {
      const GrayView view = pictures[static_cast<std::size_t>(i) % pictures.size()].gray.view();
      for (int y = 0; y < size.height; ++y)
        std::memcpy(host.data() + static_cast<std::size_t>(i) * bytes +
                        static_cast<std::size_t>(y * frame_pitch(size.width)),
                    view.row(y), static_cast<std::size_t>(size.width));
    }
    DevicePyramid pyramid;
    pyramid.plan(size, plan, batch);
    const auto tiles = make_device_sieve(cascade);
    tiles->plan(plan, batch, 4096);
    const double copy = median_us(repeat, stream.get(), [&] {
      check_cuda(
          cudaMemcpyAsync(frames.data(), host.data(), host.size(), cudaMemcpyHostToDevice, stream.get()),
          "copying");
    });
    const double resize =
        median_us(repeat, stream.get(), [&] { pyramid.enqueue(frames.data(), batch, stream.get()); });
    const double sieve = median_us(repeat, stream.get(),
                                   [&] { tiles->enqueue(pyramid.view(frames.data()), batch, stream.get()); });
    std::vector<DeviceCount> counts(static_cast<std::size_t>(tiles->counts_per_frame()));
    std::vector<DeviceCount> sums(counts.size());
    for (int i = 0; i < batch; ++i) {
      check_cuda(cudaMemcpy(counts.data(), tiles->counts() + static_cast<std::size_t>(i) * counts.size(),
                            counts.size() * sizeof(DeviceCount), cudaMemcpyDeviceToHost),
                 "copying");
      for (std::size_t k = 0; k < counts.size(); ++k) sums[k] += counts[k];
    }
    nlohmann::ordered_json report;
    report["model"] = model;
    report["width"] = size.width;
    report["height"] = size.height;
    report["batch"] = batch;
    report["windows"] = plan.window_count;
    report["us_copy_in"] = copy / batch;
    report["us_pyramid"] = resize / batch;
    report["us_tiles"] = sieve / batch;
    report["fps_of_the_sum"] = 1e6 / ((copy + resize + sieve) / batch);
    report["found"] = sums[kFound];
    report["skipped"] = sums[kSkipped];
    report["flat"] = sums[kFlat];
    report["reached"] = std::vector<DeviceCount>(sums.begin() + kReached, sums.end());
    std::printf("%s\n", report.dump().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_steps_cuda: %s\n", error.what());
    return 1;
  }
}
