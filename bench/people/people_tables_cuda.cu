// winnow_people_tables_cuda: measures the device's tables of a thesis on people in pictures (cascades of HOG
// blocks on a GTX 295) on today's device. The program writes tables in the form that tools/results.py reads.
// - dalal: Dalal and Triggs' detector at three sizes, from host memory to host results.
// - steps: a cascade of blocks step by step.
// - integral: integral histograms in float, float4, double and whole numbers: time and drift.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "hog/blocks/blocks_cuda.h"
#include "kernel_times_cuda.cuh"
#include "pairs.h"
#include "people/vote_histograms.h"
#include "people/vote_histograms_cuda.h"
#include "pipeline/results_cuda.h"
#include "plain_search.h"
#include "results_file.h"
#include "scale/pyramid_cuda.h"
#include "scale/resize.h"
#include "schedulers/scoreboard_cuda.cuh"

namespace {

using namespace winnow;
using bench::ResultList;
using bench::Scoreboard;
using Json = nlohmann::ordered_json;

constexpr const char* kPaperDevice = "the thesis, GTX 295";

struct Settings {
  std::string picture, svm, cascade = "built-in:people";
  std::vector<std::string> names = {"dalal", "steps", "integral"};
  int repeat = 11, frames = 512, batch = 32;
  bench::ResultOptions out;
};

Picture resized(const Picture& from, Size size) {
  Picture to;
  to.color = RgbImage(size.width, size.height);
  for (const auto channel : {&Rgb::r, &Rgb::g, &Rgb::b}) {
    GrayImage plane(from.color.width(), from.color.height()), made(size.width, size.height);
    for (int y = 0; y < plane.height(); ++y)
      for (int x = 0; x < plane.width(); ++x) plane.row(y)[x] = from.color.row(y)[x].*channel;
    resize_ref(std::as_const(plane).view(), made.view());
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) to.color.row(y)[x].*channel = made.row(y)[x];
  }
  to.gray = to_gray(std::as_const(to.color).view());
  return to;
}

std::string text_of(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

ResultList dalal_results(const Settings& settings, const Picture& picture) {
  const DetectorModel model = HogSvm::load(settings.svm);
  Detector device(model, {BackendKind::kCuda, 0, {0}}), cpu(model, {BackendKind::kCpu, 0, {0}});
  ResultList results{
      "people_dalal_device",
      "Dalal-Triggs on a device, scale 1.05, stride 8 (table 4-1)",
      "milliseconds a frame",
      "winnow_people_tables_cuda --svm people.xml PICTURE --tables dalal",
      "OpenCV's people model, from host memory to host results. A call holds one frame or, for batches, " +
          std::to_string(settings.frames) +
          " frames; times are medians. Objects equal those of `cpu`. The thesis quotes other papers. It "
          "extrapolated the figures of Zhang and Nevatia to a range, and the table has the middle.",
      {"method", "device", "320x240", "640x480", "1280x960"},
      {{"method", "method"}, {"device", "on"}},
      {{"320x240", "320x240", 3}, {"640x480", "640x480", 3}, {"1280x960", "1280x960", 3}}};
  const std::vector<Size> sizes = {{320, 240}, {640, 480}, {1280, 960}};
  for (const bool gray : {false, true}) {
    std::vector<double> one_ms, batch_ms;
    for (const Size size : sizes) {
      const Picture frame = resized(picture, size);
      // Copies of the picture, so that a call reads as much memory as with the frames of a film.
      std::vector<GrayImage> grays;
      std::vector<RgbImage> colors;
      for (int i = 0; i < std::min(settings.frames, 64); ++i) {
        grays.push_back(frame.gray.clone());
        colors.push_back(frame.color.clone());
      }
      std::vector<PictureView> views;
      for (int i = 0; i < settings.frames; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) % grays.size();
        views.emplace_back(std::as_const(grays[at]).view(), std::as_const(colors[at]).view());
      }
      DetectOptions options = bench::plain_search(1.05, 2);
      options.gray = gray;
      Detections found;
      std::vector<Detections> list;
      std::vector<double> one, many;
      for (int run = -3; run < 20 * settings.repeat; ++run) {
        const double ms = bench::milliseconds([&] { device.detect(views.front(), options, found); });
        if (run >= 0) one.push_back(ms);
      }
      for (int run = -3; run < settings.repeat; ++run) {
        const double ms = bench::milliseconds([&] { device.detect(views, options, list); });
        if (run >= 0) many.push_back(ms / settings.frames);
      }
      const Detections wanted = cpu.detect(frame.view(), options);
      list.push_back(found);
      for (const Detections& got : list)
        if (got.objects != wanted.objects || !got.counters.same_answer(wanted.counters))
          throw std::runtime_error("the device's objects differ from those of `cpu`");
      one_ms.push_back(bench::median(one));
      batch_ms.push_back(bench::median(many));
    }
    const std::string of = gray ? ", grey" : ", colour";
    results.rows.push_back({"Winnow" + of + ", one frame", "this device", one_ms[0], one_ms[1], one_ms[2]});
    results.rows.push_back(
        {"Winnow" + of + ", batches", "this device", batch_ms[0], batch_ms[1], batch_ms[2]});
  }
  results.rows.push_back({"Zhang and Nevatia", "the thesis's table", 70, 275, 1100});
  results.rows.push_back({"Wojek and others", "the thesis's table", 29, 80, 385});
  results.rows.push_back({"Prisacariu and Reid", "the thesis's table", 22, 99, 353});
  return results;
}

HogCascade first_stages(const HogCascade& cascade, std::size_t count) {
  HogCascadeModel model = cascade.model();
  model.stages.resize(std::min(count, model.stages.size()));
  return HogCascade(std::move(model));
}

// Microseconds of each step, for all frames of a batch.
struct Steps {
  double copy = 0, levels = 0, rows = 0, columns = 0, early = 0, late = 0, results = 0;
};
constexpr std::size_t kEarly = 16;

Steps time_steps(const HogCascade& cascade, const Picture& frame, double scale, int batch, int repeat) {
  const DetectorModel model = cascade;
  const Size size = frame.gray.view().size();
  LevelPlan plan;
  plan_levels({size, cascade.window(), scale, {}, {}, model.plan_rules()}, plan);
  const auto bytes = static_cast<std::size_t>(frame_bytes(size));
  PinnedBuffer<std::uint8_t> host(bytes * static_cast<std::size_t>(batch));
  DeviceBuffer<std::uint8_t> frames(host.size());
  std::memset(host.data(), 0, host.size());
  for (int i = 0; i < batch; ++i)
    stage_rows(frame.gray.view(), {0, size.height}, host.data() + static_cast<std::size_t>(i) * bytes);
  DevicePyramid pyramid;
  pyramid.plan(size, plan, batch);
  Scoreboard board(repeat);
  const auto upload_frames = [&](cudaStream_t on) {
    check_cuda(cudaMemcpyAsync(frames.data(), host.data(), host.size(), cudaMemcpyHostToDevice, on),
               "copying");
  };
  const auto make_levels = [&](cudaStream_t on) {
    replace_pixels(root_table(), frames.data(), static_cast<std::int64_t>(host.size()), on);
    pyramid.enqueue(frames.data(), batch, on);
  };
  Steps steps;
  steps.copy = board.time_us(upload_frames);
  steps.levels = board.time_us(make_levels);
  // Each timed run replaced the pixels by their roots once more, so the frames are uploaded again.
  upload_frames(board.stream());
  make_levels(board.stream());
  const auto sieve_times = [&](const HogCascade& of, double min_score) {
    const auto sieve = make_device_block_sieve(of);
    sieve->set_options({min_score, true});
    sieve->plan(plan, batch, 4096);
    return bench::kernel_times(
        repeat, board.stream(), [&](cudaStream_t on) { sieve->clear(batch, on); },
        [&](cudaStream_t on) { sieve->enqueue_wave(pyramid.view(frames.data()), batch, on, kEveryWave); });
  };
  // With this minimum score no window survives the cascade of the first stages, so that no survivor is
  // written.
  const auto first = sieve_times(first_stages(cascade, kEarly), 1e6), whole = sieve_times(cascade, 0);
  steps.rows = bench::time_of(whole, "rows_kernel");
  steps.columns = bench::time_of(whole, "columns_kernel");
  steps.early = bench::time_of(first, "windows_kernel");
  steps.late = bench::time_of(whole, "windows_kernel") - steps.early;
  const auto sieve = make_device_block_sieve(cascade);
  sieve->set_options({0, true});
  sieve->plan(plan, batch, 4096);
  sieve->enqueue(pyramid.view(frames.data()), batch, board.stream());
  DeviceResults results(ObjectsHome::kHost);
  results.plan(plan, batch, sieve->counts_per_frame());
  steps.results = board.time_us(
      [&](cudaStream_t on) { results.enqueue(*sieve, batch, 3, MeanRule::kFloat, std::nullopt, on); });
  return steps;
}

ResultList steps_results(const Settings& settings, const Picture& picture) {
  const auto cascade = HogCascade::from(DetectorModel::load(settings.cascade));
  if (!cascade) throw std::runtime_error(settings.cascade + " is no cascade of HOG blocks");
  const Picture frame = resized(picture, {1280, 960});
  ResultList results{
      "people_steps_device",
      "A cascade of HOG blocks step by step, 1280x960, scale 1.2 (table 7-2)",
      "microseconds a frame",
      "winnow_people_tables_cuda --svm people.xml PICTURE --tables steps",
      "Times are medians of CUDA events. Winnow copies the frame from pinned memory. The thesis also "
      "transfers what it found in each level. Winnow votes while it sums along rows, and the thesis votes "
      "while it makes levels. Early stages are the first " +
          std::to_string(kEarly) +
          " blocks, as many as the first four stages of the thesis have. The other blocks are the late "
          "stages.",
      {"step", "one", "batch", "thesis"},
      {{"step", "step"}},
      {{"one", "one frame", 1},
       {"batch", "a frame of " + std::to_string(settings.batch), 1},
       {"thesis", kPaperDevice, 0}}};
  const Steps one = time_steps(*cascade, frame, 1.2, 1, settings.repeat),
              many = time_steps(*cascade, frame, 1.2, settings.batch, settings.repeat);
  const auto row = [&](const char* name, double Steps::*step, Json thesis) {
    results.rows.push_back({name, one.*step, many.*step / settings.batch, std::move(thesis)});
  };
  row("copy to the device", &Steps::copy, 18000);
  row("roots and levels (thesis: levels, gradients and bins)", &Steps::levels, 6000);
  row("votes, and sums along rows", &Steps::rows, nullptr);
  row("sums down columns", &Steps::columns, nullptr);
  const auto both = [](const Steps& steps) { return steps.rows + steps.columns; };
  results.rows.push_back(
      {"integral histograms: both of these", both(one), both(many) / settings.batch, 50000});
  row("early stages", &Steps::early, 16000);
  row("late stages", &Steps::late, 41000);
  row("groups and answers", &Steps::results, nullptr);
  const auto sum = [](const Steps& s) {
    return s.copy + s.levels + s.rows + s.columns + s.early + s.late + s.results;
  };
  results.rows.push_back({"all steps", sum(one), sum(many) / settings.batch, 131000});
  return results;
}

template <class T>
bench::Drift drift_of(const bench::VoteHistograms& histograms, const bench::HardVotes& votes, T /*sums*/) {
  bench::Drift drift;
  std::vector<T> sums;
  for (int bin = 0; bin < bench::kBins; ++bin) {
    histograms.read(bin, sums);
    bench::add_drift(
        votes, bin, [&](std::size_t at) { return sums[at]; }, drift);
  }
  return drift;
}

// Times Winnow's integral histograms of a level as large as the picture, on a grid of 4 pixels.
double product_us(const HogCascade& cascade, const GrayImage& picture, int repeat) {
  const DetectorModel model = cascade;
  const Size size = picture.view().size();
  LevelPlan plan;
  plan_levels({size, cascade.window(), 1000, {}, {}, model.plan_rules()}, plan);
  const auto bytes = static_cast<std::size_t>(frame_bytes(size));
  PinnedBuffer<std::uint8_t> host(bytes);
  DeviceBuffer<std::uint8_t> frame(bytes);
  std::memset(host.data(), 0, bytes);
  stage_rows(picture.view(), {0, size.height}, host.data());
  const CudaStream stream = make_stream();
  check_cuda(cudaMemcpyAsync(frame.data(), host.data(), bytes, cudaMemcpyHostToDevice, stream.get()),
             "copying");
  DevicePyramid pyramid;
  pyramid.plan(size, plan, 1);
  pyramid.enqueue(frame.data(), 1, stream.get());
  const auto sieve = make_device_block_sieve(first_stages(cascade, 1));
  sieve->set_options({1e6, true});
  sieve->plan(plan, 1, 4096);
  const auto times = bench::kernel_times(
      repeat, stream.get(), [&](cudaStream_t on) { sieve->clear(1, on); },
      [&](cudaStream_t on) { sieve->enqueue_wave(pyramid.view(frame.data()), 1, on, kEveryWave); });
  return bench::time_of(times, "rows_kernel") + bench::time_of(times, "columns_kernel");
}

ResultList integral_results(const Settings& settings, const Picture& picture) {
  const auto cascade = HogCascade::from(DetectorModel::load(settings.cascade));
  if (!cascade) throw std::runtime_error(settings.cascade + " is no cascade of HOG blocks");
  ResultList results{
      "integral_histograms_device",
      "Integral histograms of nine bins on a device",
      "microseconds; errors in gradients of full length",
      "winnow_people_tables_cuda --svm people.xml PICTURE --tables integral",
      "Votes and sums in device memory; times are medians. All variants but Winnow's scan rows in segments "
      "of 512 pixels, transpose, and scan again, as the thesis does "
      "(`bench/people/vote_histograms_cuda.cu`). Winnow has two votes a pixel, and sums at every fourth "
      "pixel. Errors are differences from exact sums: of a sum, and of the vote of a cell of 8x8 pixels. "
      "Votes in whole numbers are rounded, and their sums do not drift: the error of a cell does not grow "
      "with the picture. Sums of whole numbers wrap.",
      {"kind", "size", "us", "votes", "largest sum", "largest cell", "mean cell"},
      {{"size", "picture"}, {"kind", "sums"}},
      {{"us", "time", 1},
       {"votes", "votes alone", 1},
       {"largest sum", "largest error of a sum", 5},
       {"largest cell", "of a cell", 6},
       {"mean cell", "mean of a cell", 8}}};
  using bench::SumKind;
  const std::pair<SumKind, const char*> kinds[] = {{SumKind::kFloat, "nine of float"},
                                                   {SumKind::kFloat4, "float4, float4, float"},
                                                   {SumKind::kDouble, "nine of double"},
                                                   {SumKind::kWhole, "nine of whole numbers"},
                                                   {SumKind::kWhole4, "four, four and one of whole numbers"}};
  const Picture base = resized(picture, {1280, 960});
  Scoreboard board(settings.repeat);
  for (const Size size : {Size{640, 480}, {1280, 960}, {2048, 2048}, {4096, 4096}}) {
    const GrayImage tiled = bench::tiled_picture(base.gray.view(), size);
    const bench::HardVotes votes = bench::hard_votes(tiled.view());
    std::vector<std::uint8_t> rows;
    for (int y = 0; y < size.height; ++y) rows.insert(rows.end(), tiled.row(y), tiled.row(y) + size.width);
    DeviceBuffer<std::uint8_t> pixels;
    upload(std::span<const std::uint8_t>(rows), pixels);
    for (const auto& [kind, name] : kinds) {
      bench::VoteHistograms histograms(kind, size);
      const double votes_us =
          board.time_us([&](cudaStream_t on) { histograms.enqueue_votes(pixels.data(), on); });
      const double us = board.time_us([&](cudaStream_t on) { histograms.enqueue(pixels.data(), on); });
      const bool whole = kind == SumKind::kWhole || kind == SumKind::kWhole4;
      const bench::Drift drift = whole                      ? drift_of(histograms, votes, std::uint32_t{})
                                 : kind == SumKind::kDouble ? drift_of(histograms, votes, double{})
                                                            : drift_of(histograms, votes, float{});
      // A cell has 64 rounded votes. Each vote is off by at most half a unit.
      if (whole && drift.largest_cell > 32.0 / (255.0 * bench::kVoteUnits) + 1e-6)
        throw std::runtime_error("sums of whole numbers are wrong");
      results.rows.push_back({name, text_of(size), us, votes_us,
                              whole ? Json(nullptr) : Json(drift.largest_sum), drift.largest_cell,
                              drift.mean_cell});
    }
    results.rows.push_back({"Winnow's, grid of 4", text_of(size),
                            product_us(*cascade, tiled, settings.repeat), nullptr, nullptr, nullptr,
                            nullptr});
  }
  return results;
}

std::string device_in_words() {
  std::string name = "a device";
  for (const CudaDeviceInfo& device : cuda_devices())
    if (device.number == 0) name = "one " + device.name;
  int runtime = 0;
  check_cuda(cudaRuntimeGetVersion(&runtime), "asking for a version");
  return name + ", CUDA " + std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10) +
         "; host with " + std::to_string(std::thread::hardware_concurrency()) + " cores";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Prints anew the device's tables of a thesis on people in pictures.");
  Settings settings;
  app.add_option("PICTURE", settings.picture, "a picture; it is resized")->required();
  app.add_option("--svm", settings.svm,
                 "a HOG SVM of 64x128: winnow_people_tables --svm-out writes OpenCV's");
  app.add_option("--cascade", settings.cascade, "a cascade of HOG blocks");
  app.add_option("--tables", settings.names, "dalal, steps, integral");
  app.add_option("--repeat", settings.repeat, "runs of each")->check(CLI::PositiveNumber);
  app.add_option("--frames", settings.frames, "frames of a call of many")->check(CLI::PositiveNumber);
  app.add_option("--batch", settings.batch, "frames of the steps of a batch")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the device in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    require_cuda_device(0);
    const Picture picture = read_picture(settings.picture, {true});
    std::vector<ResultList> all;
    for (const std::string& name : settings.names) {
      if (name == "dalal") {
        if (settings.svm.empty()) {
          std::printf("dalal: skipped, since --svm names no model\n");
          continue;
        }
        all.push_back(dalal_results(settings, picture));
      } else if (name == "steps") {
        all.push_back(steps_results(settings, picture));
      } else if (name == "integral") {
        all.push_back(integral_results(settings, picture));
      } else {
        throw std::runtime_error("no table is called " + name);
      }
      bench::print_results(all.back());
    }
    if (!settings.out.file.empty())
      bench::write_results(
          settings.out.file,
          {"On a device", "The thesis of 2010 ran on a GTX 295. Its figures stand beside Winnow's.",
           settings.out.device.empty() ? device_in_words() : settings.out.device, settings.out.commit},
          all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_people_tables_cuda: %s\n", error.what());
    return 1;
  }
  return 0;
}
