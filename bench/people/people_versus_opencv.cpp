// winnow_people_versus_opencv: times OpenCV's people model in OpenCV's HOGDescriptor and in Winnow, and a
// cascade of HOG blocks beside both. All three use one thread, in alternating runs on one picture of
// 1280x960. The groups that OpenCV and Winnow find with OpenCV's model are compared.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "machine_card.h"
#include "pairs.h"
#include "plain_search.h"

namespace {

constexpr int kWidth = 1280, kHeight = 960;

winnow::Detector make_detector(const cv::HOGDescriptor& hog, const std::string& backend) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "winnow_people_bench.xml";
  hog.save(file.string());
  const winnow::DetectorModel model = winnow::DetectorModel::load(file.string());
  std::filesystem::remove(file);
  return winnow::Detector(model, winnow::MachineOptions{winnow::parse_backend(backend), 1, {0}});
}

// Reads the picture in OpenCV's order of channels, resized to the size of the bench.
cv::Mat read(const std::string& path) {
  const winnow::Picture picture = winnow::read_picture(path, {true});
  cv::Mat color(picture.color.height(), picture.color.width(), CV_8UC3), resized;
  for (int y = 0; y < color.rows; ++y) {
    std::uint8_t* to = color.ptr(y);
    for (int x = 0; x < color.cols; ++x, to += 3) {
      const winnow::Rgb& pixel = picture.color.row(y)[x];
      to[0] = pixel.b, to[1] = pixel.g, to[2] = pixel.r;
    }
  }
  cv::resize(color, resized, {kWidth, kHeight});
  return resized;
}

winnow::Picture picture_of(const cv::Mat& color) {
  winnow::Picture picture;
  picture.color = winnow::RgbImage(color.cols, color.rows);
  for (int y = 0; y < color.rows; ++y) {
    const std::uint8_t* from = color.ptr(y);
    for (int x = 0; x < color.cols; ++x, from += 3) picture.color.row(y)[x] = {from[2], from[1], from[0]};
  }
  picture.gray = winnow::to_gray(std::as_const(picture.color).view());
  return picture;
}

// Whether OpenCV and Winnow found the same boxes, with nearly equal scores.
bool same(const std::vector<cv::Rect>& rects, const std::vector<double>& scores,
          const std::vector<winnow::Detection>& ours) {
  if (rects.size() != ours.size()) return false;
  return std::all_of(ours.begin(), ours.end(), [&](const winnow::Detection& object) {
    for (std::size_t i = 0; i < rects.size(); ++i) {
      const cv::Rect inside = rects[i] & cv::Rect(0, 0, kWidth, kHeight);
      if (inside == cv::Rect(object.box.x, object.box.y, object.box.width, object.box.height) &&
          std::abs(scores[i] - object.score) < 1e-3)
        return true;
    }
    return false;
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times OpenCV's people model beside OpenCV, one thread each, at 1280x960.");
  std::string path, json_path, backend = "cpu", cascade = "built-in:people";
  int repeat = 11;
  app.add_option("PICTURE", path, "a picture; it is resized")->required();
  app.add_option("--backend", backend, "Winnow's backend");
  app.add_option("--cascade", cascade, "a cascade of HOG blocks");
  app.add_option("--repeat", repeat, "pairs of runs")->check(CLI::PositiveNumber);
  app.add_option("--json", json_path, "write the figures there, too");
  CLI11_PARSE(app, argc, argv);
  cv::setNumThreads(1);
  cv::HOGDescriptor hog;
  hog.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
  winnow::Detector detector = make_detector(hog, backend);
  winnow::Detector blocks(winnow::DetectorModel::load(cascade),
                          winnow::MachineOptions{winnow::parse_backend(backend), 1, {0}});
  const cv::Mat color = read(path);
  const winnow::Picture picture = picture_of(color);
  cv::Mat gray(kHeight, kWidth, CV_8U);
  for (int y = 0; y < kHeight; ++y) std::copy_n(picture.gray.row(y), kWidth, gray.ptr(y));
  nlohmann::json report{{"machine", machine_card()}, {"opencv", CV_VERSION}, {"simd", detector.simd()}};
  bool equal = true;
  for (const double scale : {1.05, 1.1, 1.2}) {
    for (const bool grey : {true, false}) {
      std::vector<cv::Rect> rects;
      std::vector<double> scores;
      winnow::Detections found;
      winnow::DetectOptions options = bench::plain_search(scale, 2);
      options.gray = grey;
      const bench::Pairs pairs = bench::run_pairs(
          repeat,
          [&] {
            rects.clear();
            scores.clear();
            hog.detectMultiScale(grey ? gray : color, rects, scores, 0, {8, 8}, {0, 0}, scale, 2, false);
          },
          [&] { detector.detect(picture.view(), options, found); });
      const bool here = same(rects, scores, found.objects);
      equal = equal && here;
      std::printf(
          "scale %.2f %s: OpenCV %7.1f ms, Winnow %6.1f ms, %.2f times as fast (%.2f to %.2f), %zu objects "
          "%s\n",
          scale, grey ? "grey  " : "colour", pairs.theirs_median(), pairs.ours_median(), pairs.ratio_median(),
          pairs.ratio_min(), pairs.ratio_max(), found.objects.size(), here ? "equal" : "DIFFERENT");
      report["rows"].push_back({scale, grey ? "grey" : "colour", pairs.theirs_median(), pairs.ours_median(),
                                pairs.ratio_median(), found.objects.size()});
      if (!grey) continue;
      options.min_neighbors = 3;
      const bench::Pairs beside = bench::run_pairs(
          repeat,
          [&] {
            rects.clear();
            scores.clear();
            hog.detectMultiScale(gray, rects, scores, 0, {8, 8}, {0, 0}, scale, 2, false);
          },
          [&] { blocks.detect(picture.view(), options, found); });
      const double used =
          static_cast<double>(found.counters.weak) / static_cast<double>(found.counters.windows);
      std::printf(
          "scale %.2f blocks: OpenCV %7.1f ms, Winnow %6.1f ms, %.2f times as fast (%.2f to %.2f), %.2f "
          "blocks a "
          "window, %zu objects\n",
          scale, beside.theirs_median(), beside.ours_median(), beside.ratio_median(), beside.ratio_min(),
          beside.ratio_max(), used, found.objects.size());
      report["blocks"].push_back(
          {scale, beside.theirs_median(), beside.ours_median(), beside.ratio_median(), used});
    }
  }
  if (!json_path.empty()) std::ofstream(json_path) << report.dump(1) << "\n";
  return equal ? 0 : 1;
}
