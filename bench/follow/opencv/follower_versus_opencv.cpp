// winnow_follower_versus_opencv: times a followed face frame by frame, beside the same steps made of parts of
// OpenCV and dlib (bench/follow/cascade_follower.h). Each program runs on one thread.
//
//   winnow_follower_versus_opencv [PICTURE] [--size 640x480] [--cascade haarcascade_frontalface_alt]
//                                 [--out FILE.json --device NAME --commit HASH]
//
// A picture of a face moves over ground with texture. The rivals take turns: in a round each takes the same
// frames. Without PICTURE, the first picture of faces/lfw in WINNOW_DATA is used.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <stdexcept>

#include "faces/moving_picture.h"
#include "follow/opencv/cascade_follower.h"
#include "frame_size.h"
#include "frame_times.h"
#include "picture_files.h"
#include "results_file.h"

namespace {

constexpr int kFrames = 50;  // frames of a round

struct Settings {
  std::string picture, size = "640x480", cascade = "haarcascade_frontalface_alt",
                       predictor = "/usr/share/dlib/shape_predictor_68_face_landmarks.dat";
  int rounds = 11;
  bench::ResultOptions out;
};

struct Rival {
  bench::FrameTimes times{true};
  std::vector<double> rounds = {};  // milliseconds of each round
  double faces = 0;                 // sum over all frames
};

// Shows whether both rivals follow the same face.
double mean_distance(const winnow::Shape& ours, const std::vector<cv::Point2f>& theirs) {
  double sum = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i)
    sum += std::hypot(ours.points[i].x - theirs[i].x, ours.points[i].y - theirs[i].y);
  return sum / static_cast<double>(theirs.size());
}

struct Compared {
  Rival ours, theirs;
  int both = 0;         // frames in which both have the face
  double distance = 0;  // mean distance of points in these frames
};

// `min_side`: the smallest face that both search; 0 for the default of each.
Compared compare(const Settings& settings, const bench::MovingPicture& video, int every, int min_side) {
  const winnow::Landmarks landmarks = winnow::Landmarks::load("built-in:face-68");
  winnow::FollowOptions options;
  options.detect_every = every;
  options.search.min_size = {min_side, min_side};
  winnow::Follower ours(winnow::DetectorModel::load("built-in:face"), landmarks, options,
                        {winnow::BackendKind::kCpu, 1, {0}});
  bench::CascadeFollower theirs(winnow::resolve_model(settings.cascade), settings.predictor,
                                {.detect_every = every, .min_side = min_side});
  std::vector<std::vector<winnow::Followed>> followed(kFrames);
  std::vector<std::vector<cv::Point2f>> points(kFrames);
  Compared compared;
  for (int round = -1; round < settings.rounds; ++round) {  // the first round is not counted
    const auto run = [&](Rival& rival, const auto& take) {
      bench::FrameTimes times(true);
      for (int i = 0; i < kFrames; ++i) {
        const winnow::GrayView frame = video.frame((round + 1) * kFrames + i);
        times.time([&] { take(frame, static_cast<std::size_t>(i)); });
      }
      if (round < 0) return;
      for (const double ms : times.all()) rival.times.add(ms);
      rival.rounds.push_back(times.total());
    };
    const auto run_ours = [&] {
      run(compared.ours, [&](winnow::GrayView frame, std::size_t i) { ours.next(frame, followed[i]); });
    };
    const auto run_theirs = [&] {
      run(compared.theirs, [&](winnow::GrayView frame, std::size_t i) {
        if (theirs.next(frame)) {
          points[i] = theirs.points();
        } else {
          points[i].clear();
        }
      });
    };
    if (round % 2 == 0) {
      run_theirs();
      run_ours();
    } else {
      run_ours();
      run_theirs();
    }
    if (round < 0) continue;
    for (std::size_t i = 0; i < kFrames; ++i) {
      compared.ours.faces += static_cast<double>(followed[i].size());
      compared.theirs.faces += !points[i].empty();
      if (followed[i].empty() || points[i].empty()) continue;
      compared.distance += mean_distance(followed[i][0].shape, points[i]);
      ++compared.both;
    }
  }
  if (compared.both > 0) compared.distance /= compared.both;
  return compared;
}

bench::ResultList table_of(const Settings& settings, winnow::GrayView face) {
  const winnow::Size size = bench::parse_frame_size(settings.size);
  const bench::MovingPicture video(face, size);
  bench::ResultList list{
      "follower_versus_opencv",
      "One followed face, frame by frame",
      "milliseconds",
      "winnow_follower_versus_opencv " + std::filesystem::path(settings.picture).filename().string(),
      "A picture of a face moves over ground with texture, in frames of " + settings.size +
          ". `Follower` has its defaults: `face` searches, flow carries the face, and `face-68` marks the "
          "points. "
          "OpenCV searches with `" +
          settings.cascade +
          "` (scale 1.1, 3 neighbours) and carries 68 points by calcOpticalFlowPyrLK (window 21, 4 levels). "
          "The box moves by the median of the points, and dlib's predictor marks 68 points in each frame. "
          "OpenCV makes one pyramid a frame, and no flow in searched frames. "
          "dlib is compiled for the processor that runs it (-march=native). "
          "By default OpenCV searches faces from 20 pixels on, and `face` from 24. "
          "One thread; times are processor time. The programs take turns in rounds of " +
          std::to_string(kFrames) + " frames, " + std::to_string(settings.rounds) +
          " rounds. The ratio is the median of the rounds' ratios.",
      {"searched", "smallest", "program", "faces", "rate", "mean", "median", "95", "greatest", "ratio",
       "distance"},
      {{"searched", "searched"}, {"smallest", "smallest face"}, {"program", "program"}},
      {{"faces", "faces a frame", 2}, {"rate", "frames a second", 1}}};
  for (const bench::ShownValue& value : bench::time_values("a frame", 3)) list.values.push_back(value);
  list.values.push_back({"ratio", "times as fast", 1});
  list.values.push_back({"distance", "mean distance of points, pixels", 2});
  const double frames = static_cast<double>(kFrames) * settings.rounds;
  for (const auto& [every, min_side] : {std::pair(10, 0), {10, 80}, {1, 0}, {1, 80}}) {
    const Compared compared = compare(settings, video, every, min_side);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < compared.ours.rounds.size(); ++i)
      ratios.push_back(compared.theirs.rounds[i] / compared.ours.rounds[i]);
    for (const Rival* rival : {&compared.theirs, &compared.ours}) {
      const bool is_ours = rival == &compared.ours;
      nlohmann::ordered_json row{every == 1 ? "every frame" : "every 10th frame",
                                 min_side == 0 ? "default" : std::to_string(min_side) + " pixels",
                                 is_ours ? "Winnow" : "OpenCV and dlib", rival->faces / frames,
                                 1e3 / rival->times.mean()};
      for (const double figure : rival->times.figures()) row.push_back(figure);
      row.push_back(is_ours ? nlohmann::ordered_json(bench::median(ratios)) : nullptr);
      row.push_back(is_ours && compared.both > 0 ? nlohmann::ordered_json(compared.distance) : nullptr);
      list.rows.push_back(std::move(row));
    }
  }
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times a followed face beside OpenCV's and dlib's parts.");
  Settings settings;
  app.add_option("PICTURE", settings.picture, "a picture of one face (LFW's first in WINNOW_DATA)");
  app.add_option("--size", settings.size, "the size of frames, such as 640x480");
  app.add_option("--cascade", settings.cascade, "name or file of OpenCV's cascade");
  app.add_option("--predictor", settings.predictor, "dlib's file of 68 points");
  app.add_option("--rounds", settings.rounds, "timed rounds of 50 frames")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    cv::setNumThreads(1);
    const char* data = std::getenv("WINNOW_DATA");
    if (settings.picture.empty() && data != nullptr)
      settings.picture =
          bench::spread_pictures((std::filesystem::path(data) / "faces" / "lfw").string(), 1).at(0);
    if (settings.picture.empty()) throw std::runtime_error("name a picture of a face, or set WINNOW_DATA");
    const winnow::GrayImage face = winnow::read_picture(settings.picture).gray;
    const bench::ResultList list = table_of(settings, face.view());
    bench::print_results(list);
    const std::string device =
        settings.out.device.empty() ? bench::host_in_words() + "; OpenCV " CV_VERSION : settings.out.device;
    if (!settings.out.file.empty())
      bench::write_results(
          settings.out.file,
          {"A followed face beside OpenCV and dlib",
           "A thesis on faces searches in every tenth frame, carries the face by flow between, and "
           "fits the points anew in each frame. Its steps are made of OpenCV's and dlib's parts here.",
           device, settings.out.commit},
          {list});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_follower_versus_opencv: %s\n", error.what());
    return 1;
  }
  return 0;
}
