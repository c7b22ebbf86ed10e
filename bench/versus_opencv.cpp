// winnow_versus_opencv: times Winnow beside OpenCV from grey picture to boxes, and compares the answers. Both
// libraries get the same bytes and parameters: scale 1.1, objects of at least 24x24, 3 neighbours. Only the
// buffers that each library keeps by itself live from run to run. The exit status is 1 if an answer differs.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <vector>

#include "machine_card.h"
#include "pairs.h"

namespace {

constexpr double kScale = 1.1;
constexpr int kMinSide = 24, kNeighbors = 3;

struct Settings {
  int repeat = 9, threads = 1, opencv_threads = 1;
  std::string backend = "cpu", simd, json;
  std::vector<std::string> models = {"haarcascade_frontalface_alt", "haarcascade_frontalface_alt2",
                                     "haarcascade_frontalface_default", "lbpcascade_frontalface"};
  std::vector<std::string> pictures;
};

struct Shape {
  const char* name;
  int width, height;
};
constexpr Shape kShapes[] = {{"VGA", 640, 480}, {"720p", 1280, 720}, {"1080p", 1920, 1080}};

std::string default_picture() {
  const char* data = std::getenv("WINNOW_DATA");
  return std::string(data != nullptr ? data : WINNOW_SOURCE_DIR "/../shared/data") + "/photos/bald_guys.jpg";
}

cv::Mat read_gray(const std::string& path) {
  const winnow::Picture picture = winnow::read_picture(path);
  const winnow::GrayView view = picture.gray.view();
  return cv::Mat(view.height, view.width, CV_8UC1, const_cast<std::uint8_t*>(view.data),
                 static_cast<std::size_t>(view.stride))
      .clone();
}

std::vector<winnow::Box> sorted_boxes(const std::vector<cv::Rect>& rects) {
  std::vector<winnow::Box> boxes;
  for (const cv::Rect& r : rects) boxes.push_back({r.x, r.y, r.width, r.height});
  std::sort(boxes.begin(), boxes.end());
  return boxes;
}

std::vector<winnow::Box> sorted_boxes(const winnow::Detections& detections) {
  std::vector<winnow::Box> boxes;
  for (const winnow::Detection& d : detections.objects) boxes.push_back(d.box);
  std::sort(boxes.begin(), boxes.end());
  return boxes;
}

nlohmann::json run_one(const std::string& model, const cv::Mat& gray, const Settings& settings) {
  const std::string path = winnow::resolve_model(model);
  cv::CascadeClassifier classifier;
  if (!classifier.load(path)) throw std::runtime_error("OpenCV cannot load " + path);
  winnow::Detector detector(winnow::Cascade::load(path),
                            {winnow::parse_backend(settings.backend), settings.threads});
  const winnow::GrayView view{gray.data, gray.cols, gray.rows, static_cast<std::ptrdiff_t>(gray.step)};
  winnow::DetectOptions options;
  options.scale_factor = kScale;
  options.min_neighbors = kNeighbors;
  options.min_size = {kMinSide, kMinSide};

  std::vector<cv::Rect> rects;
  winnow::Detections detections;
  const bench::Pairs pairs = bench::run_pairs(
      settings.repeat,
      [&] {
        classifier.detectMultiScale(gray, rects, kScale, kNeighbors, 0, {kMinSide, kMinSide});
      },
      [&] { detector.detect(view, options, detections); });
  nlohmann::json row = pairs.figures_beside_opencv();
  row.update({{"model", model},
              {"backend", detections.backend},
              {"simd", detector.simd()},
              {"threads", detector.threads()},
              {"objects", detections.objects.size()},
              {"equal", sorted_boxes(rects) == sorted_boxes(detections)},
              {"windows", detections.counters.windows - detections.counters.skipped}});
  return row;
}

bool run(const Settings& settings) {
  cv::setNumThreads(settings.opencv_threads);
  if (!settings.simd.empty()) winnow::force_simd_target(settings.simd);
  nlohmann::json machine = machine_card(), rows = nlohmann::json::array();
  machine["opencv"] = CV_VERSION;
  std::printf("%s, %s, OpenCV %s with %d threads, Winnow with %d; scale %.2f, at least %dx%d, %d pairs\n",
              machine["cpu"].get<std::string>().c_str(), machine["compiler"].get<std::string>().c_str(),
              CV_VERSION, settings.opencv_threads, settings.threads, kScale, kMinSide, kMinSide,
              settings.repeat);
  std::printf("%-6s %-34s %10s %10s %10s %10s %8s %15s %s\n", "size", "model", "OpenCV ms", "min",
              "Winnow ms", "min", "ratio", "(least, most)", "answers");
  bool equal = true;
  for (const std::string& picture : settings.pictures) {
    const cv::Mat whole = read_gray(picture);
    for (const Shape& shape : kShapes) {
      cv::Mat gray;
      cv::resize(whole, gray, {shape.width, shape.height}, 0, 0, cv::INTER_AREA);
      for (const std::string& model : settings.models) {
        nlohmann::json row = run_one(model, gray, settings);
        row["picture"] = picture.substr(picture.rfind('/') + 1);
        row["width"] = shape.width, row["height"] = shape.height;
        equal = equal && row["equal"].get<bool>();
        const auto number = [&](const char* key) { return row[key].get<double>(); };
        std::printf("%-6s %-34s %10.2f %10.2f %10.2f %10.2f %8.2f (%5.2f, %6.2f) %s, %d boxes\n", shape.name,
                    model.c_str(), number("opencv_ms_median"), number("opencv_ms_min"),
                    number("winnow_ms_median"), number("winnow_ms_min"), number("ratio_median"),
                    number("ratio_min"), number("ratio_max"),
                    row["equal"].get<bool>() ? "equal" : "DIFFERENT", row["objects"].get<int>());
        std::fflush(stdout);
        rows.push_back(std::move(row));
      }
    }
  }
  if (!settings.json.empty())
    std::ofstream(settings.json) << nlohmann::json{{"machine", machine},
                                                   {"repeat", settings.repeat},
                                                   {"opencv_threads", settings.opencv_threads},
                                                   {"runs", rows}}
                                        .dump(1)
                                 << "\n";
  return equal;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Times Winnow beside OpenCV's cv::CascadeClassifier.\nExample: winnow_versus_opencv --repeat 15 "
      "group.jpg");
  app.add_option("--repeat", settings.repeat, "timed pairs")->check(CLI::Range(1, 10000));
  app.add_option("--models", settings.models, "names or files, separated by commas")->delimiter(',');
  app.add_option("--threads", settings.threads, "Winnow's threads")->check(CLI::Range(1, 1024));
  app.add_option("--opencv-threads", settings.opencv_threads, "OpenCV's threads")->check(CLI::Range(1, 1024));
  app.add_option("--backend", settings.backend, "Winnow's backend");
  app.add_option("--simd", settings.simd, "SIMD target of the cpu backend");
  app.add_option("--json", settings.json, "write the table there too");
  app.add_option("PICTURE", settings.pictures, "default: a group photograph of the data folder");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (settings.pictures.empty()) settings.pictures = {default_picture()};
  try {
    return run(settings) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_versus_opencv: %s\n", error.what());
    return 1;
  }
}
