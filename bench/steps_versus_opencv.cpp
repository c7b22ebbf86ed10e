// winnow_steps_versus_opencv: times single steps beside OpenCV's on the same input, in alternating runs, and
// compares the results.
//   grouping: cv::groupRectangles and winnow::group_boxes, on scattered and on clustered boxes
//   integral: cv::integral and Winnow's step, sums and squared sums of one picture
//   halve: cv::pyrDown and Winnow's step, one level of a Gaussian pyramid, and a pyramid of four levels
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <random>
#include <vector>

#include "machine_card.h"
#include "pairs.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "scale/gaussian/halve.h"
#include "scale/integral.h"

namespace {

constexpr double kEps = 0.2;
constexpr int kNeighbors = 3;

// Makes boxes in `centers` clusters in a 1080p picture. If `centers` is 0, boxes of any size lie anywhere.
std::vector<winnow::Detection> make_boxes(int count, int centers) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<winnow::Box> middles;
  for (int i = 0; i < centers; ++i) middles.push_back({below(1800), below(960), 30 + below(90), 0});
  std::vector<winnow::Detection> boxes;
  for (int i = 0; i < count; ++i) {
    winnow::Box box{below(1800), below(960), 24 + below(90), 0};
    if (centers > 0) {
      const winnow::Box& middle = middles[static_cast<std::size_t>(below(centers))];
      box = {middle.x + below(7) - 3, middle.y + below(7) - 3, middle.width + below(9) - 4, 0};
    }
    box.height = box.width;
    boxes.push_back({box, static_cast<double>(below(1000)) / 10, 1});
  }
  return boxes;
}

bool same(const std::vector<cv::Rect>& rects, const std::vector<int>& counts,
          const std::vector<winnow::Detection>& ours) {
  if (rects.size() != ours.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const winnow::Box& b = ours[i].box;
    if (rects[i] != cv::Rect(b.x, b.y, b.width, b.height) || counts[i] != ours[i].neighbors) return false;
  }
  return true;
}

nlohmann::json row_of(const std::string& step, const bench::Pairs& pairs, bool equal) {
  std::printf("%-34s %10.4f %10.4f %10.4f %10.4f %8.2f (%6.2f, %6.2f) %s\n", step.c_str(),
              pairs.theirs_median(), pairs.theirs_min(), pairs.ours_median(), pairs.ours_min(),
              pairs.ratio_median(), pairs.ratio_min(), pairs.ratio_max(), equal ? "equal" : "DIFFERENT");
  nlohmann::json row = pairs.figures_beside_opencv();
  row.update({{"step", step}, {"equal", equal}});
  return row;
}

nlohmann::json group_row(int count, int centers, int repeat) {
  const std::vector<winnow::Detection> boxes = make_boxes(count, centers);
  std::vector<cv::Rect> input, rects;
  for (const winnow::Detection& d : boxes) input.emplace_back(d.box.x, d.box.y, d.box.width, d.box.height);
  std::vector<int> counts;
  std::vector<winnow::Detection> ours;
  const bench::Pairs pairs = bench::run_pairs(
      repeat,
      [&] {
        rects = input;  // groupRectangles works in place; copying 16 KB costs little beside it
        cv::groupRectangles(rects, counts, kNeighbors, kEps);
      },
      [&] { ours = winnow::group_boxes(boxes, kNeighbors, kEps); });
  const std::string name =
      "group " + std::to_string(count) +
      (centers > 0 ? " boxes, " + std::to_string(centers) + " clusters" : " boxes, spread out");
  return row_of(name, pairs, same(rects, counts, ours));
}

cv::Mat random_gray(int width, int height) {
  cv::Mat gray(height, width, CV_8UC1);
  std::mt19937 random(11);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) gray.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(random());
  }
  return gray;
}

winnow::GrayView view_of(const cv::Mat& gray) {
  return {gray.data, gray.cols, gray.rows, static_cast<std::ptrdiff_t>(gray.step)};
}

bool same(winnow::GrayView ours, const cv::Mat& theirs) {
  if (ours.width != theirs.cols || ours.height != theirs.rows) return false;
  for (int y = 0; y < ours.height; ++y)
    if (!std::equal(ours.row(y), ours.row(y) + ours.width, theirs.ptr(y))) return false;
  return true;
}

nlohmann::json halve_row(int width, int height, int repeat) {
  const cv::Mat gray = random_gray(width, height);
  const winnow::Size size = winnow::halved(winnow::Size{width, height});
  cv::Mat half;
  winnow::GrayImage our_half(size.width, size.height);
  winnow::HalveRow row;
  const bench::Pairs pairs = bench::run_pairs(
      repeat, [&] { cv::pyrDown(gray, half); },
      [&] { winnow::halve_cpu(view_of(gray), our_half.view(), row); });
  return row_of("halve " + std::to_string(height) + "p", pairs, same(our_half.view(), half));
}

// Both rivals copy the picture to level 0.
nlohmann::json gaussian_row(int width, int height, int repeat) {
  constexpr int kLevels = 4;
  const cv::Mat gray = random_gray(width, height);
  std::vector<cv::Mat> levels(kLevels);
  winnow::GaussianPyramid pyramid;
  const bench::Pairs pairs = bench::run_pairs(
      repeat,
      [&] {
        gray.copyTo(levels[0]);
        for (std::size_t i = 1; i < kLevels; ++i) cv::pyrDown(levels[i - 1], levels[i]);
      },
      [&] { pyramid.make(view_of(gray), kLevels, winnow::halve_cpu); });
  bool equal = pyramid.levels() == kLevels;
  for (int i = 0; equal && i < kLevels; ++i)
    equal = same(pyramid.level(i), levels[static_cast<std::size_t>(i)]);
  return row_of("Gaussian pyramid " + std::to_string(height) + "p, " + std::to_string(kLevels) + " levels",
                pairs, equal);
}

// Winnow's planes have 32-bit sums and squared sums. OpenCV's squared sums are doubles (OpenCV's default) or
// 32-bit integers.
nlohmann::json integral_row(int width, int height, int square_type, int repeat) {
  const cv::Mat gray = random_gray(width, height);
  cv::Mat sum, squares;
  winnow::Image<std::uint32_t> our_sum(width + 1, height + 1), our_squares(width + 1, height + 1);
  const winnow::GrayView view = view_of(gray);
  const bench::Pairs pairs = bench::run_pairs(
      repeat, [&] { cv::integral(gray, sum, squares, CV_32S, square_type); },
      [&] {
        winnow::integral_cpu(view, {our_sum.view(), our_squares.view(), {}});
      });
  bool equal = true;
  for (int y = 0; y <= height; ++y) {
    for (int x = 0; x <= width; ++x) {
      const double square = square_type == CV_64F ? squares.at<double>(y, x) : squares.at<std::int32_t>(y, x);
      equal = equal && static_cast<std::uint32_t>(sum.at<std::int32_t>(y, x)) == our_sum.row(y)[x] &&
              static_cast<std::uint32_t>(static_cast<std::int64_t>(square)) == our_squares.row(y)[x];
    }
  }
  return row_of("integral " + std::to_string(height) + "p, squares as " +
                    (square_type == CV_64F ? "doubles" : "integers"),
                pairs, equal);
}

}  // namespace

int main(int argc, char** argv) {
  int repeat = 101;
  std::string json;
  CLI::App app("Times single steps beside OpenCV's.\nExample: winnow_steps_versus_opencv --repeat 200");
  app.add_option("--repeat", repeat, "timed pairs")->check(CLI::Range(1, 100000));
  app.add_option("--json", json, "write the table there too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    cv::setNumThreads(1);
    std::printf("%-34s %10s %10s %10s %10s %8s\n", "step", "OpenCV ms", "min", "Winnow ms", "min", "ratio");
    nlohmann::json rows = nlohmann::json::array();
    for (const int count : {64, 256, 1024, 4096})
      for (const int centers : {0, 8, 64}) rows.push_back(group_row(count, centers, repeat));
    for (const auto& [width, height] : {std::pair(640, 480), std::pair(1920, 1080)})
      for (const int square_type : {CV_32S, CV_64F})
        rows.push_back(integral_row(width, height, square_type, repeat));
    for (const auto& [width, height] : {std::pair(640, 480), std::pair(1280, 720)}) {
      rows.push_back(halve_row(width, height, repeat));
      rows.push_back(gaussian_row(width, height, repeat));
    }
    bool equal = true;
    for (const auto& row : rows) equal = equal && row["equal"].get<bool>();
    if (!json.empty()) {
      nlohmann::json machine = machine_card();
      machine["opencv"] = CV_VERSION;
      std::ofstream(json) << nlohmann::json{{"machine", machine}, {"repeat", repeat}, {"steps", rows}}.dump(1)
                          << "\n";
    }
    return equal ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_steps_versus_opencv: %s\n", error.what());
    return 1;
  }
}
