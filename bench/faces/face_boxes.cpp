// winnow_face_boxes: compares boxes with those of OpenCV's detectMultiScale in pictures of a folder. The
// boxes come from Winnow's search, and from a search that scales a cascade's features instead of the picture,
// as a thesis on faces does.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/objdetect.hpp>
#include <stdexcept>

#include "faces/box_overlap.h"
#include "faces/overlap_groups.h"
#include "faces/scaled_search.h"
#include "picture_files.h"
#include "results_file.h"

namespace {

using winnow::Box;
using winnow::GrayView;
using Boxes = std::vector<Box>;

struct Settings {
  std::string pictures, cascade = "haarcascade_frontalface_alt";
  std::size_t most = 600;
  bench::ResultOptions out;
};

Boxes boxes_of(std::span<const winnow::Detection> objects) {
  Boxes boxes;
  for (const winnow::Detection& object : objects) boxes.push_back(object.box);
  return boxes;
}

class OpenCvSearch {
 public:
  explicit OpenCvSearch(const std::string& file) {
    if (!cascade_.load(file)) throw std::runtime_error(file + ": OpenCV cannot read the cascade");
  }
  Boxes find(GrayView picture) {
    const cv::Mat gray(picture.height, picture.width, CV_8U, const_cast<std::uint8_t*>(picture.data),
                       static_cast<std::size_t>(picture.stride));
    std::vector<cv::Rect> rects;
    cascade_.detectMultiScale(gray, rects, 1.1, 3);
    Boxes boxes;
    for (const cv::Rect& rect : rects) boxes.push_back({rect.x, rect.y, rect.width, rect.height});
    return boxes;
  }

 private:
  cv::CascadeClassifier cascade_;
};

struct Search {
  std::string name;
  std::function<Boxes(GrayView)> find;
  bench::OverlapHistogram beside_opencv = {};
};

// The searches refer to `model` and `detector`, which must outlive them.
std::vector<Search> searches(const winnow::CascadeModel& model, winnow::Detector& detector) {
  const auto scaled = [&model](int step, bool half) {
    return [&model, step, half](GrayView picture) {
      if (!half) return bench::overlap_groups(bench::scaled_search(picture, model, {1.2, step}));
      const winnow::GrayImage image = bench::half_of(picture);
      Boxes boxes = bench::overlap_groups(bench::scaled_search(image.view(), model, {1.2, step}));
      for (Box& box : boxes) box = {2 * box.x, 2 * box.y, 2 * box.width, 2 * box.height};
      return boxes;
    };
  };
  const auto opencv_groups = [&model](GrayView picture) {
    std::vector<winnow::Detection> windows;
    for (const Box& box : bench::scaled_search(picture, model, {1.2, 1})) windows.push_back({box});
    return boxes_of(winnow::group_boxes(windows, 3));
  };
  const auto own = [&detector](double scale) {
    return [&detector, scale](GrayView picture) {
      winnow::DetectOptions options;
      options.scale_factor = scale;
      options.min_neighbors = 3;
      return boxes_of(detector.detect(picture, options).objects);
    };
  };
  return {{"features scaled by 1.2, halved picture, step 1", scaled(1, true)},
          {"features scaled by 1.2, halved picture, step 2", scaled(2, true)},
          {"features scaled by 1.2, whole picture, step 1", scaled(1, false)},
          {"the same, grouped as OpenCV does", opencv_groups},
          {"Winnow: pictures scaled by 1.2", own(1.2)},
          {"Winnow: pictures scaled by 1.1, as OpenCV", own(1.1)}};
}

bench::ResultList compare(const Settings& settings) {
  const std::string file = winnow::resolve_model(settings.cascade);
  const winnow::Cascade cascade = winnow::Cascade::load(file);
  winnow::Detector detector(cascade, {winnow::BackendKind::kCpu, 1, {0}});
  OpenCvSearch opencv(file);
  std::vector<Search> rivals = searches(cascade.model(), detector);
  const std::vector<std::string> pictures = bench::spread_pictures(settings.pictures, settings.most);
  std::size_t with_faces = 0;
  for (const std::string& path : pictures) {
    const winnow::Picture picture = winnow::read_picture(path);
    const GrayView gray = picture.gray.view();
    const Boxes wanted = opencv.find(gray);
    if (wanted.empty()) continue;
    ++with_faces;
    for (Search& search : rivals) search.beside_opencv.add(wanted, search.find(gray));
  }
  if (with_faces == 0) throw std::runtime_error(settings.pictures + ": OpenCV finds nothing in its pictures");
  bench::ResultList list{
      "face_boxes_beside_opencv",
      "Boxes beside OpenCV's: histograms of IoU",
      "percent of OpenCV's boxes",
      "winnow_face_boxes " + std::filesystem::path(settings.pictures).filename().string(),
      std::to_string(pictures.size()) + " pictures, of which OpenCV finds boxes in " +
          std::to_string(with_faces) + ". The cascade is `" + cascade.name() +
          "`; OpenCV scales by 1.1 and needs 3 neighbours. Each of OpenCV's boxes is compared with the box "
          "of the search that overlaps it most. A box that no box of the search touches has an IoU of 0, and "
          "has a column of its own. Features are scaled in plain loops "
          "(`bench/faces/scaled_search.cpp`). Their windows are grouped by the thesis's rule: boxes that "
          "overlap are neighbours, and an object needs 3. The thesis compared 543 of 600 larger pictures of "
          "the same set; of its histogram, the text gives one share.",
      {"search", "boxes", "alone", "mean", "below 0.5", "0.5", "0.6", "0.7", "0.8", "0.9"},
      {{"search", "search"}},
      {{"boxes", "OpenCV's boxes", 0},
       {"alone", "boxes not touched", 0},
       {"mean", "mean IoU", 4},
       {"below 0.5", "IoU below 0.5", 1},
       {"0.5", "0.5 to 0.6", 1},
       {"0.6", "0.6 to 0.7", 1},
       {"0.7", "0.7 to 0.8", 1},
       {"0.8", "0.8 to 0.9", 1},
       {"0.9", "above 0.9", 1}}};
  for (const Search& search : rivals) {
    const bench::OverlapHistogram& iou = search.beside_opencv;
    nlohmann::ordered_json row{search.name, iou.boxes(), iou.alone(), iou.mean()};
    for (std::size_t bin = 0; bin < bench::OverlapHistogram::kEdges.size(); ++bin)
      row.push_back(iou.percent(bin));
    list.rows.push_back(row);
  }
  list.rows.push_back(
      {"the thesis, iPhone 7", 543, nullptr, nullptr, 0.3, nullptr, nullptr, nullptr, nullptr, nullptr});
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares boxes of faces with those of OpenCV.");
  Settings settings;
  app.add_option("PICTURES", settings.pictures, "a folder of pictures (faces/lfw in WINNOW_DATA)");
  app.add_option("--cascade", settings.cascade, "name or file of a cascade of upright Haar features");
  app.add_option("--most", settings.most, "search at most so many of the pictures")
      ->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    cv::setNumThreads(1);
    const char* data = std::getenv("WINNOW_DATA");
    if (settings.pictures.empty() && data != nullptr)
      settings.pictures = (std::filesystem::path(data) / "faces" / "lfw").string();
    if (settings.pictures.empty()) throw std::runtime_error("name a folder of pictures, or set WINNOW_DATA");
    const bench::ResultList list = compare(settings);
    bench::print_results(list);
    const std::string device =
        settings.out.device.empty() ? bench::host_in_words() + "; OpenCV " CV_VERSION : settings.out.device;
    if (!settings.out.file.empty())
      bench::write_results(settings.out.file,
                           {"Boxes of faces by scaled features",
                            "A thesis on faces scales the cascade's features instead of the picture.", device,
                            settings.out.commit},
                           {list});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_face_boxes: %s\n", error.what());
    return 1;
  }
  return 0;
}
