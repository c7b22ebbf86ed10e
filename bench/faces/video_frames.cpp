// Times faces followed through videos of 1280x720: one video frame by frame, and several videos together.
//
//   winnow_video_frames PICTURE... [--backend cuda] [--videos 32] [--results FILE.json --device NAME
//                       --commit HASH]
//
// In each video one of the pictures moves to and fro on grey ground, by three pixels a frame. Times run from
// frames in host memory to faces in host memory. Nothing is decoded.
#include <winnow/error.h>
#include <winnow/follower.h>
#include <winnow/pinned.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "pairs.h"
#include "results_file.h"

namespace {

using namespace winnow;

constexpr Size kFrame{1280, 720};
constexpr int kFrames = 24;  // frames from the left end to the right end
constexpr int kCalls = 10;   // calls in a round; each takes a frame of each video
constexpr int kRounds = 15;

// `picture`: empty for a video without a face.
GrayImage frame_of(GrayView picture, int number, int lane) {
  GrayImage frame(kFrame.width, kFrame.height);
  const int left = 60 + 97 * lane % 500 + 3 * number, top = 40 + 61 * lane % 300 + number;
  for (int y = 0; y < kFrame.height; ++y)
    for (int x = 0; x < kFrame.width; ++x) {
      const int u = x - left, v = y - top;
      const bool inside = u >= 0 && v >= 0 && u < picture.width && v < picture.height;
      frame.row(y)[x] = inside ? picture.row(v)[u] : static_cast<std::uint8_t>(110 + (x ^ y) % 16);
    }
  return frame;
}

// The frames of one video, to and fro.
class Video {
 public:
  Video(GrayView picture, int lane) {
    for (int number = 0; number < kFrames; ++number) frames_.push_back(frame_of(picture, number, lane));
  }
  GrayView frame(int number) const {
    const int at = number % (2 * kFrames - 2);
    return frames_[static_cast<std::size_t>(at < kFrames ? at : 2 * kFrames - 2 - at)].view();
  }
  void pin(std::vector<PinnedMemory>& pins) const {
    for (const GrayImage& frame : frames_) {
      const GrayView view = frame.view();
      pins.emplace_back(
          std::as_bytes(std::span(view.data, static_cast<std::size_t>(view.stride) * kFrame.height)));
    }
  }

 private:
  std::vector<GrayImage> frames_;
};

struct Timed {
  double faces = 0, milliseconds = 0;  // mean faces of a frame; median time of a frame
};

Timed time_videos(Follower& follower, std::span<const Video> videos, std::size_t count) {
  std::vector<PictureView> views(count);
  std::vector<std::vector<Followed>> faces(count);
  int number = 0;
  double seen = 0;
  const auto round = [&] {
    for (int call = 0; call < kCalls; ++call, ++number) {
      for (std::size_t i = 0; i < count; ++i) views[i] = videos[i % videos.size()].frame(number);
      follower.next(views, faces);
      for (const auto& each : faces) seen += static_cast<double>(each.size());
    }
  };
  for (int i = 0; i < 3; ++i) round();  // warms up: makes plans and graphs
  seen = 0;
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) times.push_back(bench::milliseconds(round));
  const double frames = kCalls * static_cast<double>(count);
  return {seen / (kRounds * frames), bench::median(times) / frames};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times faces followed through videos of 1280x720.");
  std::string backend = "auto", points = "built-in:face-68";
  bench::ResultOptions results;
  std::vector<std::string> files;
  int threads = 1;
  std::vector<int> counts = {1, 32};
  app.add_option("--backend", backend);
  app.add_option("--threads", threads);
  app.add_option("--landmarks", points);
  app.add_option("--videos", counts);
  app.add_option("--results", results.file);
  app.add_option("--device", results.device);
  app.add_option("--commit", results.commit);
  app.add_option("PICTURE", files)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    const MachineOptions machine{parse_backend(backend), threads, {0}};
    std::vector<Video> with, without;
    for (const std::string& file : files) {
      const auto lane = static_cast<int>(with.size());
      with.emplace_back(read_picture(file).view().gray, lane);
      without.emplace_back(GrayView(), lane);
    }
    bench::ResultList list{.name = "video_frames",
                           .title = "Faces followed through videos of 1280x720",
                           .unit = "frames a second",
                           .command = "winnow_video_frames",
                           .about = "From host memory to host results, medians of ten frames a video.",
                           .columns = {"videos", "faces", "rate", "milliseconds"},
                           .by = {{"videos", "videos"}},
                           .values = {{"faces", "faces a frame", 2},
                                      {"rate", "frames a second", 0},
                                      {"milliseconds", "ms a frame", 3}}};
    for (const bool pinned : {false, true}) {
      std::vector<PinnedMemory> pins;
      if (pinned && machine.backend != BackendKind::kCuda) break;
      if (pinned)
        for (const auto* videos : {&with, &without})
          for (const Video& video : *videos) video.pin(pins);
      for (const int count : counts) {
        for (const auto& [name, every, videos] : {std::tuple("searched every 10 frames", 10, &with),
                                                  {"no face, every 10 frames", 10, &without},
                                                  {"searched every frame", 1, &with}}) {
          FollowOptions options;
          options.detect_every = every;
          Follower follower(DetectorModel::load("built-in:face"), Landmarks::load(points), options, machine);
          const Timed timed = time_videos(follower, *videos, static_cast<std::size_t>(count));
          list.rows.push_back({std::to_string(count) + ", " + name + (pinned ? ", pinned" : ""), timed.faces,
                               1000 / timed.milliseconds, timed.milliseconds});
        }
      }
    }
    bench::print_results(list);
    if (!results.file.empty())
      bench::write_results(results.file, {"video_frames", "", results.device, results.commit}, {list});
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
