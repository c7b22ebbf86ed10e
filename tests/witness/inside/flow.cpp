// Compares flow with cv::calcOpticalFlowPyrLK on frames of real videos: which points are kept, and where they
// lie.
//
//   winnow_witness_flow [VIDEO or FOLDER...]
//
// Without arguments, the tracks of the data folder are compared. Both sides must agree for 99.5 % of all
// points whether to keep a point. Of the points that both keep, 99 % must differ by at most 0.02 pixels, and
// the errors of 99 % by at most 0.02 grey levels. All tracks together must pass, for each gap between frames.
// Single tracks do not decide: a search can fail in blurred frames. A difference of one bit can then move the
// end of the search far away.
#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/video.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <string>
#include <vector>

#include "random.h"
#include "scale/gaussian/halve.h"
#include "track/flow/flow.h"

namespace {

using witness::Random;

constexpr int kFrames = 60;          // the most frames to read of a track
constexpr double kNear = 0.02;       // the largest distance of near points, in pixels
constexpr double kNearShare = 0.99;  // the least fraction of near points among the points that both keep
constexpr double kSameShare = 0.995;

struct Count {
  long points = 0, same = 0, both = 0, near = 0, equal = 0, near_error = 0;
  double furthest = 0;
  void add(const Count& other) {
    points += other.points;
    same += other.same;
    both += other.both;
    near += other.near;
    equal += other.equal;
    near_error += other.near_error;
    furthest = std::max(furthest, other.furthest);
  }
  bool good() const {
    return static_cast<double>(same) >= kSameShare * static_cast<double>(points) &&
           static_cast<double>(near) >= kNearShare * static_cast<double>(both) &&
           static_cast<double>(near_error) >= kNearShare * static_cast<double>(both);
  }
};

void print(const std::string& name, const Count& count) {
  const auto percent = [](long part, long all) {
    return all == 0 ? 100. : 100. * static_cast<double>(part) / static_cast<double>(all);
  };
  std::printf("%-36s %8ld %8ld %9.3f %9.3f %9.3f %9.3f %9.3g %s\n", name.c_str(), count.points, count.both,
              percent(count.same, count.points), percent(count.near, count.both),
              percent(count.equal, count.both), percent(count.near_error, count.both), count.furthest,
              count.good() ? "" : "below the measure");
}

cv::Mat gray_of(winnow::GrayView view) {
  cv::Mat gray(view.height, view.width, CV_8UC1);
  for (int y = 0; y < view.height; ++y) std::copy_n(view.row(y), view.width, gray.ptr(y));
  return gray;
}

winnow::GrayView view_of(const cv::Mat& gray) {
  return {gray.data, gray.cols, gray.rows, static_cast<std::ptrdiff_t>(gray.step)};
}

std::vector<cv::Mat> read_frames(const std::filesystem::path& path) {
  std::vector<cv::Mat> frames;
  if (std::filesystem::is_directory(path)) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      if (entry.path().extension() == ".jpg" || entry.path().extension() == ".png")
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (std::size_t i = 0; i < files.size() && frames.size() < kFrames; ++i)
      frames.push_back(gray_of(winnow::read_picture(files[i]).gray.view()));
    return frames;
  }
  winnow::VideoReader reader(path);
  winnow::VideoFrame frame;
  while (frames.size() < kFrames && reader.next(frame)) frames.push_back(gray_of(frame.picture.gray.view()));
  return frames;
}

std::vector<cv::Point2f> grid_points(cv::Size size) {
  std::vector<cv::Point2f> points;
  const int step = std::max(1, std::min(size.width, size.height) / 24);
  for (int y = 0; y < size.height; y += step)
    for (int x = 0; x < size.width; x += step)
      points.emplace_back(static_cast<float>(x), static_cast<float>(y));
  return points;
}

std::vector<cv::Point2f> good_points(const cv::Mat& gray) {
  std::vector<cv::Point2f> points;
  cv::goodFeaturesToTrack(gray, points, 400, 0.01, 5);
  return points;
}

// Draws points anywhere in the picture, and up to two windows outside of it.
std::vector<cv::Point2f> random_points(cv::Size size, cv::Size window, Random& random) {
  std::vector<cv::Point2f> points;
  for (int i = 0; i < 400; ++i)
    points.emplace_back(
        static_cast<float>(random.real() * (size.width + 4 * window.width) - 2 * window.width),
        static_cast<float>(random.real() * (size.height + 4 * window.height) - 2 * window.height));
  return points;
}

Count compare(const cv::Mat& before, const cv::Mat& now, const std::vector<cv::Point2f>& points,
              const winnow::FlowRules& rules) {
  std::vector<cv::Point2f> theirs;
  std::vector<unsigned char> status;
  std::vector<float> errors;
  if (points.empty()) return {};
  cv::calcOpticalFlowPyrLK(
      before, now, points, theirs, status, errors, {rules.width, rules.height}, rules.levels - 1,
      {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, rules.iterations, std::sqrt(rules.eps_square)}, 0,
      static_cast<double>(rules.min_eigen));
  winnow::GaussianPyramid first, second;
  const int levels = winnow::flow_levels(before.cols, before.rows, rules);
  first.make(view_of(before), levels, winnow::halve_cpu);
  second.make(view_of(now), levels, winnow::halve_cpu);
  std::vector<winnow::FlowPlace> places;
  for (const cv::Point2f& point : points) places.push_back({point.x, point.y});
  std::vector<winnow::FlowResult> ours(points.size());
  winnow::flow_cpu(first, second, places, rules, 1, ours.data());
  Count count;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool found = status[i] != 0;
    ++count.points;
    count.same += found == (ours[i].found != 0);
    if (!found || ours[i].found == 0) continue;
    ++count.both;
    const double distance = std::hypot(static_cast<double>(theirs[i].x - ours[i].place.x),
                                       static_cast<double>(theirs[i].y - ours[i].place.y));
    count.near += distance <= kNear;
    count.equal += distance == 0;
    count.near_error += std::abs(errors[i] - ours[i].error) <= 0.02F;
    count.furthest = std::max(count.furthest, distance);
  }
  return count;
}

struct Kinds {
  Count grid, good, random;
  void add(const Kinds& other) {
    grid.add(other.grid);
    good.add(other.good);
    random.add(other.random);
  }
};

Kinds compare_all(const cv::Mat& before, const cv::Mat& now, const winnow::FlowRules& rules, Random& random) {
  return {compare(before, now, grid_points(before.size()), rules),
          compare(before, now, good_points(before), rules),
          compare(before, now, random_points(before.size(), {rules.width, rules.height}, random), rules)};
}

bool report(const std::string& name, const Kinds& kinds) {
  print(name + ", grid", kinds.grid);
  print(name + ", good features", kinds.good);
  print(name + ", random", kinds.random);
  Count all;
  for (const Count& each : {kinds.grid, kinds.good, kinds.random}) all.add(each);
  return all.good();
}

constexpr std::array<std::size_t, 3> kGaps = {1, 3, 10};

// Compares the frames of a track at each gap, and adds the counts of each gap to `all`.
void compare_track(const std::string& name, const std::vector<cv::Mat>& frames,
                   std::array<Kinds, kGaps.size()>& all) {
  Random random(witness::hash_text(name, 1));
  for (std::size_t n = 0; n < kGaps.size(); ++n) {
    Kinds kinds;
    for (std::size_t i = 0; i + kGaps[n] < frames.size(); i += 7)
      kinds.add(compare_all(frames[i], frames[i + kGaps[n]], {}, random));
    report(name + ", gap " + std::to_string(kGaps[n]), kinds);
    all[n].add(kinds);
  }
}

// Compares with other options, and on pictures about as small as a window.
void compare_options(const std::vector<cv::Mat>& frames, int& passed, int& failed) {
  struct Case {
    const char* name;
    winnow::FlowRules rules;
    cv::Rect part;
  };
  const cv::Rect whole({0, 0}, frames[0].size());
  const std::vector<Case> cases = {{"window 3x3", {.width = 3, .height = 3}, whole},
                                   {"window 31x31", {.width = 31, .height = 31}, whole},
                                   {"window 9x27", {.width = 9, .height = 27}, whole},
                                   {"1 level", {.levels = 1}, whole},
                                   {"7 levels", {.levels = 7}, whole},
                                   {"5 steps of 0.3", {.iterations = 5, .eps_square = 0.3 * 0.3}, whole},
                                   {"textured", {.min_eigen = 0.01F}, whole},
                                   {"part of 43x43", {}, {60, 40, 43, 43}},
                                   {"part of 17x11", {}, {60, 40, 17, 11}}};
  for (const Case& each : cases) {
    Random random(witness::hash_text(each.name, 1));
    Kinds kinds;
    for (std::size_t i = 0; i + 2 < frames.size(); i += 11)
      kinds.add(
          compare_all(frames[i](each.part).clone(), frames[i + 2](each.part).clone(), each.rules, random));
    ++(report(each.name, kinds) ? passed : failed);
  }
}

std::vector<std::string> tracks_of_data() {
  const char* data = std::getenv("WINNOW_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(data != nullptr ? data : std::string(WINNOW_SOURCE_DIR) + "/../shared/data") /
      "tracks";
  std::vector<std::string> tracks;
  if (!std::filesystem::is_directory(folder)) return tracks;
  for (const auto& track : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::is_directory(track.path() / "img")) tracks.push_back(track.path() / "img");
    for (const auto& file : std::filesystem::directory_iterator(track.path()))
      if (winnow::video_supported() &&
          (file.path().extension() == ".mpg" || file.path().extension() == ".mp4"))
        tracks.push_back(file.path());
  }
  std::sort(tracks.begin(), tracks.end());
  return tracks;
}

std::string name_of(const std::filesystem::path& track) {
  return (track.filename() == "img" ? track.parent_path() : track).stem();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> tracks(argv + 1, argv + argc);
    if (tracks.empty()) tracks = tracks_of_data();
    if (tracks.empty()) {
      std::printf("skipped: there are no tracks\n");
      return 0;
    }
    std::printf("OpenCV %s\n%-36s %8s %8s %9s %9s %9s %9s %9s\n", CV_VERSION, "", "points", "kept", "% same",
                "% near", "% equal", "% error", "furthest");
    int passed = 0, failed = 0;
    std::array<Kinds, kGaps.size()> all;
    for (const std::string& track : tracks) {
      const std::vector<cv::Mat> frames = read_frames(track);
      compare_track(name_of(track), frames, all);
      if (track == tracks.front()) compare_options(frames, passed, failed);
    }
    for (std::size_t n = 0; n < kGaps.size(); ++n)
      ++(report("all tracks, gap " + std::to_string(kGaps[n]), all[n]) ? passed : failed);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_witness_flow: %s\n", error.what());
    return 1;
  }
}
