// Makes the tables of a paper on heterogeneous TLD (Gurcan and Temizel 2015) anew: how long each part of a
// frame takes on a processor, in the paper's split between processor and device, and on a device.
//
//   winnow_track_tables VIDEO --box X,Y,W,H [--frames 40] [--halves 2] [--every 1] [--repeat 5] [--threads 0]
//                       [--json FILE --device NAME --commit HASH]
//   winnow_track_tables --raw FILE --size 1920x1080 --box X,Y,W,H ...
//
// `--halves 2` also measures the video at half and at a quarter of its sides, as the paper did. Frames are
// not halved before they are searched, unlike in a `Tracker`: the grid is the paper's. Each variant's answer
// is compared with the plain one before it is timed; a wrong one ends the program with status 1. Without a
// device the columns of devices stay empty.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/threads.h"
#include "frame_size.h"
#include "results_file.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "track/tld/object_steps.h"
#include "tracking/read_frames.h"
#include "tracking/size_run.h"
#include "tracking/table_rows.h"

namespace {

using namespace winnow;
using namespace bench;

struct Settings {
  FrameSource source;
  std::string box;
  int frames = 40, halves = 2;
  SizeRunOptions run;
  ResultOptions out;
};

// The frames at half of their sides.
std::vector<GrayImage> halved_frames(const std::vector<GrayImage>& frames) {
  std::vector<GrayImage> halves;
  GaussianPyramid pyramid;
  for (const GrayImage& frame : frames) {
    pyramid.make(frame.view(), 2, kObjectStepsCpu.halve);
    const GrayView half = pyramid.level(pyramid.levels() - 1);
    halves.emplace_back(half.width, half.height);
    for (int y = 0; y < half.height; ++y) std::copy_n(half.row(y), half.width, halves.back().row(y));
  }
  return halves;
}

void run(const Settings& settings) {
  std::vector<GrayImage> frames = read_frames(settings.source, static_cast<std::size_t>(settings.frames) + 1);
  RealBox box = parse_box(settings.box);
  std::string why;
  RunDevices devices = open_devices(settings.run, why);
  if (!why.empty())
    std::fprintf(stderr, "winnow_track_tables: no device (%s), so only columns of processors are measured.\n",
                 why.c_str());
  const int threads = threads_for(settings.run.threads);
  const std::string size = size_in_words(frames.front().size());
  std::vector<SizeMeasures> sizes;
  for (int half = 0; half <= settings.halves; ++half) {
    if (half > 0) {
      frames = halved_frames(frames);
      box = {box.x / 2, box.y / 2, box.width / 2, box.height / 2};
    }
    sizes.push_back(SizeRun(settings.run, devices, frames, box).run());
  }
  std::reverse(sizes.begin(), sizes.end());
  const FrameSource& source = settings.source;
  const std::string input = source.raw.empty() ? "VIDEO" : "--raw FILE --size " + source.size;
  const std::vector<ResultList> tables =
      track_tables(sizes, threads,
                   "winnow_track_tables " + input + " --box " + settings.box + " --frames " +
                       std::to_string(settings.frames) + " --halves " + std::to_string(settings.halves) +
                       " --every " + std::to_string(settings.run.every),
                   std::to_string(frames.size() - 1) + " frames of " + size +
                       ", halved for the smaller sizes; all threads: " + std::to_string(threads) +
                       ". Each figure is the median over the frames.");
  for (const ResultList& table : tables) print_results(table);
  if (settings.out.file.empty()) return;
  write_results(
      settings.out.file,
      {"A paper on heterogeneous TLD, made anew",
       "Gurcan and Temizel (2015) part TLD between a processor and a device. Their own kernels stand "
       "beside Winnow's here. The paper had an Intel i7-4770K and a Tesla K40.",
       settings.out.device.empty() ? host_in_words() : settings.out.device, settings.out.commit},
      tables);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Makes the tables of a paper on heterogeneous TLD anew.");
  Settings settings;
  add_frame_options(app, settings.source, settings.run.seed, settings.out);
  app.add_option("--box", settings.box, "X,Y,WIDTH,HEIGHT in the first frame")->required();
  app.add_option("--frames", settings.frames, "frames behind the first")->check(CLI::PositiveNumber);
  app.add_option("--halves", settings.halves, "how often frames are halved and measured again")
      ->check(CLI::Range(0, 6));
  app.add_option("--every", settings.run.every, "1 of so many frames is timed")->check(CLI::PositiveNumber);
  app.add_option("--repeat", settings.run.repeat, "runs of each part in a frame")->check(CLI::PositiveNumber);
  app.add_option("--threads", settings.run.threads, "0: all cores")->check(CLI::NonNegativeNumber);
  app.add_option("--occupancy", settings.run.occupancy, "the least occupancy of algorithm 2")
      ->check(CLI::Range(0., 1.));
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_track_tables: %s\n", error.what());
    return 1;
  }
}
