// winnow_schedulers_cuda: times the sieve alone on a device under five schedulers.
//   static      one thread per window, until the window is decided
//   persistent  as many threads as the device holds; a thread whose window is done takes the next
//   queue       as many warps as the device holds; each fetches 32 windows at a time. A window has one
//               thread, or the whole warp once few of the 32 windows live. It is the scheduler of a paper
//               (Nguyen, Hefenbrock, Oberg, Kastner, Baden, 2013)
//   repack      chunks of stages, one launch each; living windows go through queues in device memory
//   tiles       Winnow's own (docs/design/005), if the cascade has a program for tiles
//
// - The first four read integral planes in device memory. Their times do not include the time that makes
//   these planes (`us_planes`).
// - These four also do the same work for OpenCV's skip along rows (`us_first_stage`, which their times
//   include): the first stage of every window, then a walk along each row. So they differ only in later
//   stages (`us_later`).
// - They use the same model and functions, those of `planes_cuda.cu`.
// - Tiles make their own planes and judge all stages. So their gain comes from other code, too, not only from
//   scheduling.
// - All must give the result of Winnow's own sieve, window by window. A difference ends the program.
// - Times are microseconds per frame, medians of device events around graphs.
// - Survivor rates vary: first the pictures themselves are searched (density 0), then pictures with copies of
//   the surest object pasted on a fraction of their area.
// - The output is a line of JSON for the machine, then one for each cascade and density. With --table, a
//   table goes to standard error.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "machine_card.h"
#include "scale/plan.h"
#include "scale/pyramid_cuda.h"
#include "schedulers/pasted_frames.h"
#include "schedulers/scheduled_sieve_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace {

using namespace winnow;
using bench::Scheduler;
using bench::SiftedBatch;

struct Options {
  std::vector<std::string> models, images;
  std::vector<int> densities = {0, 1, 4, 16, 64, 100};
  int batch = 16, repeat = 10, min_size = 0;
  bool rows = false;
  bench::ScheduleOptions schedule;
};

std::vector<Picture> read_pictures(const Options& options) {
  std::vector<Picture> pictures;
  for (const std::string& name : options.images) {
    pictures.push_back(read_picture(name));
    if (pictures.back().gray.size() != pictures.front().gray.size())
      throw std::runtime_error(name + " is of another size than " + options.images.front());
  }
  return pictures;
}

struct Row {
  std::string model;
  int density;
  double windows, weak;  // per frame
  // Fractions of the windows: `second` enter the second stage, `third` pass a third of the stages, and
  // `survive` pass all stages.
  double second, third, survive;
  double planes, first, later[4];  // microseconds per frame
  double tiles;                    // also microseconds per frame; 0 without a program for tiles
  double total(Scheduler scheduler) const { return first + later[static_cast<int>(scheduler)]; }
};

void print_json(const Row& row, Size size, const Options& options) {
  nlohmann::ordered_json later, total;
  for (const Scheduler scheduler : bench::kSchedulers) {
    later[scheduler_name(scheduler)] = row.later[static_cast<int>(scheduler)];
    total[scheduler_name(scheduler)] = row.total(scheduler);
  }
  total["tiles"] = row.tiles > 0 ? nlohmann::ordered_json(row.tiles) : nlohmann::ordered_json();
  const nlohmann::ordered_json report = {{"model", row.model},
                                         {"width", size.width},
                                         {"height", size.height},
                                         {"batch", options.batch},
                                         {"density", row.density},
                                         {"windows", row.windows},
                                         {"weak", row.weak},
                                         {"second_stage", row.second},
                                         {"third_of_stages", row.third},
                                         {"survive", row.survive},
                                         {"us_planes", row.planes},
                                         {"us_first_stage", row.first},
                                         {"us_later", later},
                                         {"us", total}};
  std::printf("%s\n", report.dump().c_str());
  std::fflush(stdout);
}

void print_head() {
  std::fprintf(stderr,
               "ms a frame; planes are not in static, persistent, queue and repack; 'to tiles' is (planes + "
               "static) / tiles\n%-38s %7s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n",
               "cascade", "density", "stage 2", "third", "survive", "planes", "static", "persist", "queue",
               "repack", "to queue", "tiles", "to tiles");
}

void print_row(const Row& row) {
  const double fixed = row.total(Scheduler::kStatic), queue = row.total(Scheduler::kQueue);
  std::fprintf(stderr, "%-38s %6d%% %7.3f%% %7.3f%% %7.4f%% %8.4f %8.4f %8.4f %8.4f %8.4f %8.2f",
               row.model.c_str(), row.density, 100 * row.second, 100 * row.third, 100 * row.survive,
               row.planes / 1000, fixed / 1000, row.total(Scheduler::kPersistent) / 1000, queue / 1000,
               row.total(Scheduler::kRepack) / 1000, fixed / queue);
  if (row.tiles > 0) {
    std::fprintf(stderr, " %8.4f %8.2f\n", row.tiles / 1000, (row.planes + fixed) / row.tiles);
  } else {
    std::fprintf(stderr, " %8s %8s\n", "-", "-");
  }
}

// Runs one cascade on batches of frames of one size.
class CascadeRun {
 public:
  CascadeRun(const Cascade& cascade, const Options& options, Size size, const LevelPlan& plan,
             cudaStream_t stream)
      : cascade_(cascade),
        options_(options),
        size_(size),
        plan_(plan),
        stream_(stream),
        sieve_(cascade, options.schedule),
        tiles_(make_tile_sieve(cascade)),
        planes_(tiles_ == nullptr ? make_plane_sieve(cascade) : nullptr) {
    pyramid_.plan(size, plan, options.batch);
    make_room(kFirstCapacity);
  }

  Row measure(std::span<const GrayImage> frames, int density) {
    load(frames);
    const SiftedBatch sifted = check(density);
    Row row{};
    row.model = cascade_.name();
    row.density = density;
    describe(sifted, row);
    // A graph keeps the host's launch time out of the measurement.
    const auto us = [&](auto enqueue) {
      const CudaGraph graph = capture_graph(stream_, enqueue);
      return bench::median_us(
                 options_.repeat, stream_,
                 [&] { check_cuda(cudaGraphLaunch(graph.get(), stream_), "launching a graph"); }) /
             options_.batch;
    };
    row.planes = us([&](cudaStream_t s) { sieve_.enqueue_planes(view(), s); });
    row.first = us([&](cudaStream_t s) { sieve_.enqueue_first_stage(s); });
    for (const Scheduler scheduler : bench::kSchedulers)
      row.later[static_cast<int>(scheduler)] = us([&](cudaStream_t s) { sieve_.enqueue(scheduler, s); });
    if (tiles_ != nullptr)
      row.tiles = us([&](cudaStream_t s) { tiles_->enqueue(view(), options_.batch, s); });
    return row;
  }

 private:
  static constexpr int kFirstCapacity = 4096;

  DeviceSieve& product() const { return tiles_ != nullptr ? *tiles_ : *planes_; }
  PyramidView view() const { return pyramid_.view(frames_.data()); }

  void make_room(int capacity) {
    product().plan(plan_, options_.batch, capacity);
    sieve_.plan(plan_, options_.batch, capacity);
    // A copy from pageable memory may still run when `plan` returns, and this stream waits for no other
    // stream.
    check_cuda(cudaDeviceSynchronize(), "planning");
  }

  // Uploads frames and makes their levels on the device.
  void load(std::span<const GrayImage> frames) {
    const auto bytes = static_cast<std::size_t>(frame_bytes(size_));
    std::vector<std::uint8_t> host(bytes * frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      stage_rows(frames[i].view(), {0, size_.height}, &host[i * bytes]);
    }
    frames_.reserve(host.size());
    check_cuda(cudaMemcpyAsync(frames_.data(), host.data(), host.size(), cudaMemcpyHostToDevice, stream_),
               "copying frames to the device");
    check_cuda(cudaStreamSynchronize(stream_), "copying frames to the device");
    pyramid_.enqueue(frames_.data(), options_.batch, stream_);
  }

  SiftedBatch ask_product() {
    product().enqueue(view(), options_.batch, stream_);
    return bench::sifted_of(product(), options_.batch);
  }

  // Checks that all schedulers give the result of Winnow's own sieve, and returns that result.
  SiftedBatch check(int density) {
    SiftedBatch sifted = ask_product();
    DeviceCount most = 0;
    for (const bench::SiftedFrame& frame : sifted.frames) most = std::max(most, frame.counts[kFound]);
    if (most > static_cast<DeviceCount>(product().capacity())) {
      make_room(static_cast<int>(most));
      sifted = ask_product();
    }
    sieve_.enqueue_planes(view(), stream_);
    SiftedBatch first;
    for (const Scheduler scheduler : bench::kSchedulers) {
      SiftedBatch got = sieve_.run(scheduler, stream_);
      // Winnow's own sieve records no depths. So the first scheduler is compared with that sieve, and the
      // other schedulers are compared with the first.
      const std::string differs = bench::difference(got, first.frames.empty() ? sifted : first);
      if (!differs.empty()) {
        throw std::runtime_error(cascade_.name() + ", density " + std::to_string(density) + ", scheduler " +
                                 scheduler_name(scheduler) + ": " + differs);
      }
      if (first.frames.empty()) first = std::move(got);
    }
    return sifted;
  }

  void describe(const SiftedBatch& sifted, Row& row) const {
    const std::size_t stages = cascade_.model().stages.size();
    const double all = static_cast<double>(plan_.window_count) * options_.batch;
    for (const bench::SiftedFrame& frame : sifted.frames) {
      Counters counters;
      read_counts(std::span<const DeviceCount>(frame.counts), counting_of(cascade_.model()), plan_, counters);
      const auto fraction = [&](std::size_t stage) {
        return static_cast<double>(counters.reached[stage]) / all;
      };
      row.weak += static_cast<double>(counters.weak) / options_.batch;
      row.second += fraction(1);
      row.third += fraction((stages + 2) / 3);
      row.survive += fraction(stages);
    }
    row.windows = static_cast<double>(plan_.window_count);
  }

  Cascade cascade_;
  const Options& options_;
  Size size_;
  const LevelPlan& plan_;
  cudaStream_t stream_;
  bench::ScheduledSieve sieve_;
  std::unique_ptr<DeviceSieve> tiles_, planes_;  // Winnow's own sieve is one of the two
  DevicePyramid pyramid_;
  DeviceBuffer<std::uint8_t> frames_;
};

void run_cascade(const std::string& path, const Options& options, std::span<const GrayView> pictures,
                 cudaStream_t stream) {
  const Cascade cascade = Cascade::load(path);
  const Size size = pictures.front().size(), window = cascade.window();
  const Size min_size{options.min_size, options.min_size};
  LevelPlan plan;
  plan_levels({size, window, 1.1, min_size, {}}, plan);
  if (plan.window_count == 0) throw std::runtime_error(path + ": these pictures have no windows");
  CascadeRun run(cascade, options, size, plan, stream);
  const double grow = std::max({1.0, static_cast<double>(min_size.width) / window.width,
                                static_cast<double>(min_size.height) / window.height});
  const Size smallest{static_cast<int>(window.width * grow), static_cast<int>(window.height * grow)};
  GrayImage object;
  for (const int density : options.densities) {
    if (density > 0 && object.empty()) object = bench::surest_object(cascade, pictures, min_size);
    if (density > 0 && object.empty()) {
      std::fprintf(stderr, "%s finds nothing in these pictures: no densities above 0\n",
                   cascade.name().c_str());
      return;
    }
    std::vector<GrayImage> frames;
    for (int i = 0; i < options.batch; ++i) {
      const GrayView picture = pictures[static_cast<std::size_t>(i) % pictures.size()];
      frames.push_back(
          bench::paste_objects(picture, object.view(), smallest, density, static_cast<unsigned>(i)));
    }
    const Row row = run.measure(frames, density);
    print_json(row, size, options);
    if (options.rows) print_row(row);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times schedulers of windows on a device.");
  app.add_option("-m,--model", options.models, "a cascade; may be given again")
      ->required()
      ->allow_extra_args(false);
  app.add_option("--batch", options.batch, "frames at a time")->check(CLI::Range(1, 1024));
  app.add_option("--repeat", options.repeat, "runs of each")->check(CLI::Range(1, 10000));
  app.add_option("--min-size", options.min_size, "the smallest object's side")->check(CLI::Range(0, 4096));
  app.add_option("--densities", options.densities, "percents of the area that objects are pasted on")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0, 100));
  app.add_option("--lanes", options.schedule.lanes,
                 "queue: with so many windows left they get the whole warp")
      ->check(CLI::Range(0, 32));
  app.add_option("--group", options.schedule.chunk, "repack: stages between two queues")
      ->check(CLI::Range(1, 255));
  app.add_option("--late", options.schedule.late,
                 "repack: with so many windows a warp of the device, a warp a window")
      ->check(CLI::Range(0, 4096));
  app.add_flag("--table", options.rows, "a table as well, on the standard error output");
  app.add_option("IMAGE", options.images, "pictures of one size")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    require_cuda_device(0);
    const std::vector<Picture> pictures = read_pictures(options);
    std::vector<GrayView> views;
    for (const Picture& picture : pictures) views.push_back(picture.gray.view());
    const CudaStream stream = make_stream();
    nlohmann::json card = machine_card();
    card["device"] = cuda_devices().front().name;
    card["lanes"] = options.schedule.lanes;
    card["group"] = options.schedule.chunk;
    card["late"] = options.schedule.late;
    std::printf("%s\n", card.dump().c_str());
    if (options.rows) print_head();
    for (const std::string& model : options.models) run_cascade(model, options, views, stream.get());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_schedulers_cuda: %s\n", error.what());
    return 1;
  }
}
