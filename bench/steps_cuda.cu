// winnow_steps_cuda: times each step of a frame on a device, for batches of pictures in device memory.
// Times are medians of device events. The device's copy bandwidth is measured in the same run.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "faces/group_time_cuda.h"
#include "group/group.h"
#include "scale/plan.h"
#include "scale/pyramid_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace {

using namespace winnow;
using bench::median_us;

// Makes boxes in `heaps` clusters, or scattered boxes if `heaps` is 0.
std::vector<Candidate> boxes(int count, int heaps) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<Candidate> list;
  for (int i = 0; i < count; ++i) {
    const int heap = heaps > 0 ? below(heaps) : i;
    const Box box =
        heaps > 0 ? Box{heap * 97 % 1700 + below(5), heap * 61 % 900 + below(5), 60 + below(4), 60 + below(4)}
                  : Box{below(1900), below(1000), 24 + below(60), 24 + below(60)};
    list.push_back({box, below(1000) / 8.0, 1});
  }
  return list;
}

// Times how a device groups 1,024 boxes in its memory into objects, and compares the objects with the
// reference.
void time_grouping(int repeat) {
  nlohmann::ordered_json report;
  for (const int heaps : {0, 8, 64}) {
    const std::vector<Candidate> list = boxes(1024, heaps);
    const auto grouping = bench::time_device_grouping(list, 2, 0.2, repeat);
    if (!grouping) throw std::runtime_error("this device cannot group 1,024 boxes");
    std::vector<Candidate> wanted;
    GroupScratch scratch;
    group_ref(list, 2, 0.2, scratch, wanted);
    if (grouping->objects != wanted) throw std::runtime_error("grouping differs from the reference");
    report["us_grouping_1024_in_" + std::to_string(heaps) + "_heaps"] = grouping->us;
  }
  std::printf("%s\n", report.dump().c_str());
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
    require_cuda_device(0);
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
      stage_rows(pictures[static_cast<std::size_t>(i) % pictures.size()].gray.view(), {0, size.height},
                 host.data() + static_cast<std::size_t>(i) * bytes);
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
    time_grouping(repeat);
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
