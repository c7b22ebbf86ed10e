// Compares Winnow with cv::HOGDescriptor on OpenCV's own people model, a HOG SVM: the scores of all windows,
// and then groups.
#include <winnow/winnow.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "judge.h"
#include "pictures.h"

namespace witness {
namespace {

constexpr double kBand = 1e-3;  // the largest allowed difference of scores
constexpr double kScale = 1.05;
constexpr int kMostSide = 640;

using Boxes = std::map<winnow::Box, std::vector<double>>;  // each box with its scores, rising

Boxes sorted(Boxes boxes) {
  for (auto& [box, scores] : boxes) std::sort(scores.begin(), scores.end());
  return boxes;
}

Boxes boxes_of(const std::vector<cv::Rect>& rects, const std::vector<double>& scores, cv::Size size) {
  Boxes boxes;
  for (std::size_t i = 0; i < rects.size(); ++i) {
    const cv::Rect inside = rects[i] & cv::Rect({}, size);
    boxes[{inside.x, inside.y, inside.width, inside.height}].push_back(scores[i]);
  }
  return sorted(std::move(boxes));
}

Boxes boxes_of(const winnow::Detections& found) {
  Boxes boxes;
  for (const winnow::Detection& object : found.objects) boxes[object.box].push_back(object.score);
  return sorted(std::move(boxes));
}

// Counts boxes that only one side has, and scores that differ by more than `kBand`. Raises `worst` to
// the largest difference of scores.
long differences(const Boxes& theirs, const Boxes& ours, double& worst) {
  long different = 0;
  for (const auto& [box, scores] : theirs) {
    const auto here = ours.find(box);
    if (here == ours.end() || here->second.size() != scores.size()) {
      ++different;
      continue;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double apart = std::abs(scores[i] - here->second[i]);
      worst = std::max(worst, apart);
      different += apart > kBand ? 1 : 0;
    }
  }
  for (const auto& [box, scores] : ours) different += theirs.count(box) == 0 ? 1 : 0;
  return different;
}

struct Shown {
  cv::Mat theirs;
  winnow::Picture ours;
};

Shown read(const std::string& path, bool color) {
  Shown shown;
  shown.theirs = cv::imread(path, color ? cv::IMREAD_COLOR : cv::IMREAD_GRAYSCALE);
  if (shown.theirs.empty()) throw std::runtime_error("cannot be read: " + path);
  const double longest = std::max(shown.theirs.cols, shown.theirs.rows);
  if (longest > kMostSide)
    cv::resize(shown.theirs, shown.theirs, {}, kMostSide / longest, kMostSide / longest, cv::INTER_AREA);
  const int width = shown.theirs.cols, height = shown.theirs.rows;
  if (!color) {
    shown.ours.gray = winnow::GrayImage(width, height);
    for (int y = 0; y < height; ++y) std::copy_n(shown.theirs.ptr(y), width, shown.ours.gray.row(y));
    return shown;
  }
  shown.ours.color = winnow::RgbImage(width, height);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* from = shown.theirs.ptr(y);
    for (int x = 0; x < width; ++x, from += 3) shown.ours.color.row(y)[x] = {from[2], from[1], from[0]};
  }
  shown.ours.gray = winnow::to_gray(std::as_const(shown.ours.color).view());
  return shown;
}

class People {
 public:
  People(const Settings& settings, bool gamma) {
    hog_.gammaCorrection = gamma;
    hog_.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("winnow_people_" + std::to_string(gamma) + ".xml");
    hog_.save(file.string());
    const winnow::DetectorModel model = winnow::DetectorModel::load(file.string());
    std::filesystem::remove(file);
    detector_ = std::make_unique<winnow::Detector>(
        model, winnow::MachineOptions{winnow::parse_backend(settings.backend), settings.threads, {0}});
  }

  // Counts windows and differences of one picture into `counts`.
  void compare(const Shown& shown, const std::string& name, StepCounts& counts, double& worst) {
    // OpenCV would search a picture smaller than the window, and read out of bounds.
    if (shown.theirs.cols < hog_.winSize.width || shown.theirs.rows < hog_.winSize.height)
      return note(1, detector_->detect(shown.ours.view()).objects.empty() ? 0 : 1, name + ": too small",
                  counts);
    std::vector<cv::Rect> rects;
    std::vector<double> scores;
    hog_.detectMultiScale(shown.theirs, rects, scores, -1e6, {8, 8}, {0, 0}, kScale, 0, false);
    winnow::DetectOptions options;
    options.scale_factor = kScale;
    options.min_neighbors = 0;
    options.min_score = -1e6;
    const Boxes theirs = boxes_of(rects, scores, shown.theirs.size());
    const long windows = static_cast<long>(rects.size());
    const long different =
        differences(theirs, boxes_of(detector_->detect(shown.ours.view(), options)), worst);
    note(windows, different, name + ": windows", counts);
    const bool near =
        std::any_of(scores.begin(), scores.end(), [](double s) { return std::abs(s) <= kBand; });
    if (near) return;  // a window whose score is within `kBand` of the limit may change the groups
    rects.clear();
    scores.clear();
    hog_.detectMultiScale(shown.theirs, rects, scores, 0, {8, 8}, {0, 0}, kScale, 2, false);
    options.min_neighbors = 2;
    options.min_score = 0;
    groups_ += static_cast<long>(rects.size());
    const long groups = differences(boxes_of(rects, scores, shown.theirs.size()),
                                    boxes_of(detector_->detect(shown.ours.view(), options)), worst);
    note(1, groups, name + ": groups", counts);
  }

  long groups() const { return groups_; }

 private:
  static void note(long all, long different, const std::string& what, StepCounts& counts) {
    counts.passed += all - std::min(all, different);
    counts.failed += different;
    if (different > 0) std::printf("  DIFFERENT %s: %ld of %ld\n", what.c_str(), different, all);
  }

  cv::HOGDescriptor hog_;
  std::unique_ptr<winnow::Detector> detector_;
  long groups_ = 0;
};

}  // namespace

StepCounts run_people(const Settings& settings) {
  cv::setNumThreads(1);  // with more threads OpenCV may give a box the score of another box
  const Pictures pictures(settings.data, settings.seed);
  if (!pictures.has_data()) throw std::runtime_error("there is no data folder " + settings.data);
  const std::vector<std::string> names =
      pictures.choose(settings.subset ? 8 : std::min(settings.pictures, 100));
  StepCounts total;
  for (const bool gamma : {true, false}) {
    People people(settings, gamma);
    for (const bool color : {false, true}) {
      StepCounts counts;
      double worst = 0;
      const long groups_before = people.groups();
      for (const std::string& name : names)
        people.compare(read((std::filesystem::path(settings.data) / name).string(), color), name, counts,
                       worst);
      std::printf(
          "%s, gamma %s: %zu pictures %9ld windows and groups equal %4ld different, %ld groups, worst %.2e\n",
          color ? "colour" : "grey  ", gamma ? "on " : "off", names.size(), counts.passed, counts.failed,
          people.groups() - groups_before, worst);
      total.passed += counts.passed;
      total.failed += counts.failed;
    }
  }
  return total;
}

}  // namespace witness
