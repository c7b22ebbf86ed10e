// winnow_flow_versus_opencv: times flow beside cv::calcOpticalFlowPyrLK on one thread, in alternating runs,
// and says how far apart the points lie.
//   two pictures: both pyramids are made
//   next frame: the pyramid of the second picture is made, as in a video
//   flow alone: both pyramids are made before the time begins, OpenCV's with derivatives
// Without a file, the program uses two frames of a track in the data folder.
#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/video.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <string>
#include <vector>

#include "machine_card.h"
#include "pairs.h"
#include "scale/gaussian/halve.h"
#include "track/flow/flow.h"

namespace {

const cv::Size kWindow(21, 21);
constexpr int kMaxLevel = 3;

struct Frames {
  cv::Mat before, now;
};

winnow::GrayView view_of(const cv::Mat& gray) {
  return {gray.data, gray.cols, gray.rows, static_cast<std::ptrdiff_t>(gray.step)};
}

Frames read_frames(const std::string& path, int first, int gap) {
  winnow::VideoReader reader(path);
  winnow::VideoFrame frame;
  Frames frames;
  while (frames.now.empty() && reader.next(frame)) {
    const winnow::GrayView gray = frame.picture.gray.view();
    const cv::Mat shown(gray.height, gray.width, CV_8UC1, const_cast<std::uint8_t*>(gray.data),
                        static_cast<std::size_t>(gray.stride));
    if (frame.index == first) frames.before = shown.clone();
    if (frame.index == first + gap) frames.now = shown.clone();
  }
  if (frames.now.empty()) throw winnow::Error(winnow::ErrorCode::kUsage, "the video has too few frames");
  return frames;
}

// Points with good texture, as a tracker chooses them.
std::vector<cv::Point2f> good_points(const cv::Mat& gray, int count) {
  std::vector<cv::Point2f> points;
  cv::goodFeaturesToTrack(gray, points, count, 1e-4, 4);
  return points;
}

struct Theirs {
  std::vector<cv::Point2f> points;
  std::vector<unsigned char> status;
  std::vector<float> errors;
};

nlohmann::json row_of(const std::string& step, const bench::Pairs& pairs, const Theirs& theirs,
                      const std::vector<winnow::FlowResult>& ours) {
  std::size_t same = 0, both = 0, near = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool found = theirs.status[i] != 0;
    same += found == (ours[i].found != 0);
    if (!found || ours[i].found == 0) continue;
    ++both;
    near += std::hypot(theirs.points[i].x - ours[i].place.x, theirs.points[i].y - ours[i].place.y) <= 0.02F;
  }
  std::printf("%-30s %10.3f %10.3f %10.3f %10.3f %8.2f (%6.2f, %6.2f) %5zu of %zu alike, %zu of %zu near\n",
              step.c_str(), pairs.theirs_median(), pairs.theirs_min(), pairs.ours_median(), pairs.ours_min(),
              pairs.ratio_median(), pairs.ratio_min(), pairs.ratio_max(), same, ours.size(), near, both);
  nlohmann::json row = pairs.figures_beside_opencv();
  row.update({{"step", step}, {"points", ours.size()}, {"same", same}, {"both", both}, {"near", near}});
  return row;
}

void add_rows(const Frames& frames, const std::vector<cv::Point2f>& points, int repeat,
              nlohmann::json& rows) {
  const std::string name = std::to_string(points.size()) + " points, ";
  std::vector<winnow::FlowPlace> places;
  for (const cv::Point2f& point : points) places.push_back({point.x, point.y});
  const winnow::FlowRules rules;
  std::vector<winnow::FlowResult> ours(places.size());
  winnow::GaussianPyramid before, now;
  const auto make = [](const cv::Mat& gray, winnow::GaussianPyramid& pyramid) {
    pyramid.make(view_of(gray), kMaxLevel + 1, winnow::halve_cpu);
  };
  const auto carry = [&] { winnow::flow_cpu(before, now, places, rules, 1, ours.data()); };
  Theirs theirs;
  const cv::TermCriteria criteria{cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 30, 0.01};
  const auto run_theirs = [&](const auto& first, const auto& second) {
    cv::calcOpticalFlowPyrLK(first, second, points, theirs.points, theirs.status, theirs.errors, kWindow,
                             kMaxLevel, criteria);
  };
  std::vector<cv::Mat> first, second;
  const auto build = [](const cv::Mat& gray, std::vector<cv::Mat>& pyramid) {
    cv::buildOpticalFlowPyramid(gray, pyramid, kWindow, kMaxLevel, true);
  };
  rows.push_back(row_of(name + "two pictures",
                        bench::run_pairs(
                            repeat, [&] { run_theirs(frames.before, frames.now); },
                            [&] {
                              make(frames.before, before);
                              make(frames.now, now);
                              carry();
                            }),
                        theirs, ours));
  build(frames.before, first);
  rows.push_back(row_of(name + "next frame",
                        bench::run_pairs(
                            repeat,
                            [&] {
                              build(frames.now, second);
                              run_theirs(first, second);
                            },
                            [&] {
                              make(frames.now, now);
                              carry();
                            }),
                        theirs, ours));
  rows.push_back(row_of(name + "flow alone",
                        bench::run_pairs(
                            repeat, [&] { run_theirs(first, second); }, carry),
                        theirs, ours));
}

std::string track_of_data() {
  const char* data = std::getenv("WINNOW_DATA");
  return (data != nullptr ? data : std::string(WINNOW_SOURCE_DIR) + "/../shared/data") +
         "/tracks/motorcyclechase/video.mp4";
}

}  // namespace

int main(int argc, char** argv) {
  int repeat = 41, first = 100, gap = 1;
  std::string json, video = track_of_data();
  CLI::App app(
      "Times flow beside OpenCV's.\nExample: winnow_flow_versus_opencv --repeat 100 street.mp4 --frame 30");
  app.add_option("--repeat", repeat, "timed pairs")->check(CLI::Range(1, 100000));
  app.add_option("--frame", first, "the first frame")->check(CLI::Range(0, 1 << 30));
  app.add_option("--gap", gap, "frames to the second frame")->check(CLI::Range(1, 1 << 20));
  app.add_option("--json", json, "write the table there too");
  app.add_option("VIDEO", video);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    cv::setNumThreads(1);
    const Frames frames = read_frames(video, first, gap);
    std::printf("%dx%d, OpenCV %s\n%-30s %10s %10s %10s %10s %8s\n", frames.before.cols, frames.before.rows,
                CV_VERSION, "step", "OpenCV ms", "min", "Winnow ms", "min", "ratio");
    nlohmann::json rows = nlohmann::json::array();
    for (const int count : {68, 1000}) add_rows(frames, good_points(frames.before, count), repeat, rows);
    if (!json.empty()) {
      nlohmann::json machine = machine_card();
      machine["opencv"] = CV_VERSION;
      std::ofstream(json) << nlohmann::json{{"machine", machine}, {"repeat", repeat}, {"steps", rows}}.dump(1)
                          << "\n";
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_flow_versus_opencv: %s\n", error.what());
    return 1;
  }
}
