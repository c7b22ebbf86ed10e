// Times faces followed through videos: one video frame by frame, and several videos together.
//
//   winnow_video_frames PICTURE... [--backend cuda] [--videos 32] [--size 640x480] [--between carry]
//                       [--calls 300] [--results FILE.json --device NAME --commit HASH]
//
// In each video one of the pictures moves to and fro on grey ground, by three pixels a frame. Times run from
// frames in host memory to faces in host memory. Nothing is decoded. A call takes a frame of each video.
#include <winnow/follower.h>
#include <winnow/pinned.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "frame_size.h"
#include "frame_times.h"
#include "results_file.h"

namespace {

using namespace winnow;

constexpr Size kUsualFrame{1280, 720};
constexpr int kFrames = 24;  // frames from the left end to the right end
constexpr int kWarmCalls = 30;

struct Settings {
  std::vector<std::string> pictures;
  std::string backend = "auto", points = "built-in:face-68", size = bench::size_in_words(kUsualFrame);
  std::string between = between_name(FollowOptions().between);
  int threads = 1, calls = 300;
  std::vector<int> counts = {1, 32};
  bench::ResultOptions out;
};

// `picture`: empty for a video without a face. The picture begins at another place in each lane.
GrayImage frame_of(GrayView picture, Size size, int number, int lane) {
  GrayImage frame(size.width, size.height);
  const auto across = [&](int pixels) { return pixels * size.width / kUsualFrame.width; };
  const auto down = [&](int pixels) { return pixels * size.height / kUsualFrame.height; };
  const int left = across(60) + 97 * lane % std::max(1, across(500)) + 3 * number,
            top = down(40) + 61 * lane % std::max(1, down(300)) + number;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int u = x - left, v = y - top;
      const bool inside = u >= 0 && v >= 0 && u < picture.width && v < picture.height;
      frame.row(y)[x] = inside ? picture.row(v)[u] : static_cast<std::uint8_t>(110 + (x ^ y) % 16);
    }
  return frame;
}

// The frames of one video, to and fro.
class Video {
 public:
  Video(GrayView picture, Size size, int lane) {
    for (int number = 0; number < kFrames; ++number) frames_.push_back(frame_of(picture, size, number, lane));
  }
  GrayView frame(int number) const {
    const int at = number % (2 * kFrames - 2);
    return frames_[static_cast<std::size_t>(at < kFrames ? at : 2 * kFrames - 2 - at)].view();
  }
  void pin(std::vector<PinnedMemory>& pins) const {
    for (const GrayImage& frame : frames_) {
      const GrayView view = frame.view();
      const auto rows = static_cast<std::size_t>(view.height);
      pins.emplace_back(std::as_bytes(std::span(view.data, static_cast<std::size_t>(view.stride) * rows)));
    }
  }

 private:
  std::vector<GrayImage> frames_;
};

struct Timed {
  double faces = 0;  // mean faces of a frame
  bench::FrameTimes calls;
};

Timed time_videos(Follower& follower, std::span<const Video> videos, std::size_t count, int calls) {
  Timed timed{0, bench::FrameTimes(follower.last_backend() != BackendKind::kCuda && follower.threads() == 1)};
  std::vector<PictureView> views(count);
  std::vector<std::vector<Followed>> faces(count);
  std::size_t seen = 0;
  for (int number = -kWarmCalls; number < calls; ++number) {  // the first calls make plans and graphs
    for (std::size_t i = 0; i < count; ++i) views[i] = videos[i % videos.size()].frame(number + kWarmCalls);
    const auto call = [&] { follower.next(views, faces); };
    if (number < 0) {
      call();
      continue;
    }
    timed.calls.time(call);
    for (const auto& each : faces) seen += each.size();
  }
  timed.faces = static_cast<double>(seen) / (static_cast<double>(calls) * static_cast<double>(count));
  return timed;
}

// Columns "rate" and "milliseconds" count single frames. The other times are those of calls.
bench::ResultList empty_list(const Settings& settings) {
  const bool other_size = settings.size != bench::size_in_words(kUsualFrame),
             other_between = settings.between != between_name(FollowOptions().between);
  return {.name = "video_frames" + (other_size ? "_" + settings.size : "") +
                  (other_between ? "_" + settings.between : ""),
          .title = "Faces followed through videos of " + settings.size +
                   (other_between ? ", points by `" + settings.between + "`" : ""),
          .unit = "frames a second; milliseconds",
          .command = "winnow_video_frames PICTURES" + (other_size ? " --size " + settings.size : "") +
                     (other_between ? " --between " + settings.between : ""),
          .about = "From host memory to host results, means of " + std::to_string(settings.calls) +
                   " calls that follow one another. A call takes a frame of each video.",
          .columns = {"videos", "faces", "rate", "milliseconds", "median", "95", "greatest"},
          .by = {{"videos", "videos"}},
          .values = {{"faces", "faces a frame", 2},
                     {"rate", "frames a second", 0},
                     {"milliseconds", "ms a frame", 3},
                     {"median", "median ms a call", 3},
                     {"95", "95 % ms a call", 3},
                     {"greatest", "greatest ms a call", 3}}};
}

void run(const Settings& settings) {
  const MachineOptions machine{parse_backend(settings.backend), settings.threads, {0}};
  const Size size = bench::parse_frame_size(settings.size);
  FollowOptions options;
  options.between = parse_between(settings.between);
  std::vector<Video> with, without;
  for (const std::string& file : settings.pictures) {
    const auto lane = static_cast<int>(with.size());
    with.emplace_back(read_picture(file).view().gray, size, lane);
    without.emplace_back(GrayView(), size, lane);
  }
  bench::ResultList list = empty_list(settings);
  for (const bool pinned : {false, true}) {
    std::vector<PinnedMemory> pins;
    if (pinned && machine.backend != BackendKind::kCuda) break;
    if (pinned)
      for (const auto* videos : {&with, &without})
        for (const Video& video : *videos) video.pin(pins);
    for (const int count : settings.counts) {
      for (const auto& [name, every, videos] : {std::tuple("searched every 10 frames", 10, &with),
                                                {"no face, every 10 frames", 10, &without},
                                                {"searched every frame", 1, &with}}) {
        options.detect_every = every;
        Follower follower(DetectorModel::load("built-in:face"), Landmarks::load(settings.points), options,
                          machine);
        const Timed timed = time_videos(follower, *videos, static_cast<std::size_t>(count), settings.calls);
        const double ms = timed.calls.mean() / count;
        list.rows.push_back({std::to_string(count) + ", " + name + (pinned ? ", pinned" : ""), timed.faces,
                             1000 / ms, ms, timed.calls.middle(), timed.calls.within(0.95),
                             timed.calls.greatest()});
      }
    }
  }
  bench::print_results(list);
  if (!settings.out.file.empty())
    bench::write_results(settings.out.file,
                         {"Faces followed through videos on a device",
                          "Each video shows a portrait of LFW that moves by three pixels a frame on grey "
                          "ground. `Follower` follows 68 points and searches with `face`; a frame is one "
                          "submission.",
                          settings.out.device, settings.out.commit},
                         {list});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times faces followed through videos.");
  Settings settings;
  app.add_option("--backend", settings.backend);
  app.add_option("--threads", settings.threads);
  app.add_option("--landmarks", settings.points);
  app.add_option("--videos", settings.counts, "numbers of videos")->check(CLI::PositiveNumber);
  app.add_option("--size", settings.size, "the size of frames, such as 640x480");
  app.add_option("--between", settings.between, "where points lie between searches: steady, fit or carry");
  app.add_option("--calls", settings.calls, "timed calls")->check(CLI::PositiveNumber);
  app.add_option("--results", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  app.add_option("PICTURE", settings.pictures)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_video_frames: %s\n", error.what());
    return 1;
  }
}
