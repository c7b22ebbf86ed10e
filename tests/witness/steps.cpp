// Compares single steps with OpenCV's: grey of colour, grey of JPEG files (upright by EXIF), grouping,
// enlarged levels.
#include <winnow/winnow.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "judge.h"
#include "pictures.h"
#include "random.h"

namespace witness {
namespace {

using winnow::Detection;
using winnow::GrayView;

// Counts the checks of one kind, and prints the first failures.
class Tally {
 public:
  explicit Tally(std::string name) : name_(std::move(name)) {}
  void check(bool good, const std::string& what) {
    ++(good ? counts_.passed : counts_.failed);
    if (!good && counts_.failed <= 5) std::printf("  DIFFERENT %s: %s\n", name_.c_str(), what.c_str());
  }
  void close(StepCounts& total) const {
    std::printf("%-44s %8ld equal %6ld different\n", name_.c_str(), counts_.passed, counts_.failed);
    total.passed += counts_.passed;
    total.failed += counts_.failed;
  }

 private:
  std::string name_;
  StepCounts counts_;
};

// Describes the difference of two grey pictures; empty if they are equal.
std::string gray_difference(GrayView ours, const cv::Mat& theirs) {
  if (ours.width != theirs.cols || ours.height != theirs.rows)
    return "size " + std::to_string(ours.width) + "x" + std::to_string(ours.height) + ", OpenCV " +
           std::to_string(theirs.cols) + "x" + std::to_string(theirs.rows);
  for (int y = 0; y < ours.height; ++y)
    for (int x = 0; x < ours.width; ++x)
      if (ours.row(y)[x] != theirs.at<std::uint8_t>(y, x))
        return "pixel " + std::to_string(x) + "," + std::to_string(y) + " is " +
               std::to_string(ours.row(y)[x]) + ", OpenCV " + std::to_string(theirs.at<std::uint8_t>(y, x));
  return {};
}

std::span<const std::byte> bytes_of(const std::vector<std::uint8_t>& bytes) {
  return std::as_bytes(std::span(bytes));
}

std::string decoded_difference(const std::vector<std::uint8_t>& file, const cv::Mat& theirs) {
  try {
    return gray_difference(winnow::decode_picture(bytes_of(file)).gray.view(), theirs);
  } catch (const std::exception& error) {
    return error.what();
  }
}

cv::Mat random_color(Random& random, int width, int height) {
  cv::Mat bgr(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 3 * width; ++x) bgr.ptr(y)[x] = static_cast<std::uint8_t>(random.below(256));
  return bgr;
}

cv::Mat gray_of(const cv::Mat& bgr) {
  cv::Mat gray;
  cv::cvtColor(bgr, gray, cv::COLOR_BGR2GRAY);
  return gray;
}

void step_color(Random random, StepCounts& total) {
  Tally views("grey: to_gray and cv::cvtColor"), files("grey: PNG and PNM files and cv::cvtColor");
  for (int n = 0; n < 60; ++n) {
    const cv::Mat bgr = random_color(random, random.between(1, 300), random.between(1, 60));
    winnow::RgbImage rgb(bgr.cols, bgr.rows);
    for (int y = 0; y < bgr.rows; ++y)
      for (int x = 0; x < bgr.cols; ++x) {
        const auto& p = bgr.at<cv::Vec3b>(y, x);
        rgb.row(y)[x] = {p[2], p[1], p[0]};
      }
    const std::string what = gray_difference(winnow::to_gray(rgb.view()).view(), gray_of(bgr));
    views.check(what.empty(), what);
    for (const char* ending : {".png", ".ppm"}) {
      std::vector<std::uint8_t> file;
      cv::imencode(ending, bgr, file);
      const std::string text = decoded_difference(file, gray_of(bgr));
      files.check(text.empty(), std::string(ending) + ": " + text);
    }
    for (const char* ending : {".png", ".pgm"}) {
      std::vector<std::uint8_t> file;
      const cv::Mat gray = gray_of(bgr);
      cv::imencode(ending, gray, file);
      const std::string text = decoded_difference(file, gray);
      files.check(text.empty(), std::string("grey ") + ending + ": " + text);
    }
  }
  // All colours of a grid with steps of 5, because other formulas round some colours differently.
  winnow::RgbImage rgb(52 * 52, 52);
  cv::Mat bgr(52, 52 * 52, CV_8UC3);
  for (int y = 0; y < bgr.rows; ++y)
    for (int x = 0; x < bgr.cols; ++x) {
      const auto r = static_cast<std::uint8_t>(x / 52 * 5), g = static_cast<std::uint8_t>(x % 52 * 5),
                 b = static_cast<std::uint8_t>(y * 5);
      rgb.row(y)[x] = {r, g, b};
      bgr.at<cv::Vec3b>(y, x) = {b, g, r};
    }
  const std::string what = gray_difference(winnow::to_gray(rgb.view()).view(), gray_of(bgr));
  views.check(what.empty(), what);
  views.close(total);
  files.close(total);
}

// Returns `jpeg` with an EXIF segment, which says `orientation`, after the start marker.
std::vector<std::uint8_t> with_orientation(const std::vector<std::uint8_t>& jpeg, int orientation) {
  const std::vector<std::uint8_t> exif = {
      0xff, 0xe1, 0, 34, 'E', 'x',  'i',  'f', 0, 0, 'M', 'M', 0, 42, 0,
      0,    0,    8, 0,  1,   0x01, 0x12, 0,   3, 0, 0,   0,   1, 0,  static_cast<std::uint8_t>(orientation),
      0,    0,    0, 0,  0,   0};
  std::vector<std::uint8_t> turned(jpeg.begin(), jpeg.begin() + 2);
  turned.insert(turned.end(), exif.begin(), exif.end());
  turned.insert(turned.end(), jpeg.begin() + 2, jpeg.end());
  return turned;
}

void step_jpeg(const Settings& settings, Random random, StepCounts& total) {
  Tally made("grey: JPEG with EXIF orientation 0 to 9");
  for (int n = 0; n < 80; ++n) {
    const cv::Mat bgr = random_color(random, random.between(8, 90), random.between(8, 90));
    cv::Mat smooth;
    cv::GaussianBlur(bgr, smooth, {7, 7}, 3);
    const bool color = random.below(2) == 0;
    std::vector<std::uint8_t> file;
    cv::imencode(
        ".jpg", color ? smooth : gray_of(smooth), file,
        {cv::IMWRITE_JPEG_QUALITY, random.between(20, 100), cv::IMWRITE_JPEG_PROGRESSIVE, random.below(2)});
    file = with_orientation(file, n % 10);
    const std::string what = decoded_difference(file, cv::imdecode(file, cv::IMREAD_GRAYSCALE));
    made.check(what.empty(), "orientation " + std::to_string(n % 10) + ": " + what);
  }
  made.close(total);

  Tally files("grey: JPEG files and cv::imread");
  const Pictures pictures(settings.data, settings.seed);
  if (!pictures.has_data()) {
    std::printf("skipped: the JPEG files of %s, which is not there\n", settings.data.c_str());
    return;
  }
  for (const std::string& name : pictures.choose(settings.pictures)) {
    if (!name.ends_with(".jpg")) continue;
    const std::string path = settings.data + "/" + name;
    std::string what;
    try {
      what = gray_difference(winnow::read_picture(path).gray.view(), cv::imread(path, cv::IMREAD_GRAYSCALE));
    } catch (const std::exception& error) {
      what = error.what();
    }
    files.check(what.empty(), name + ": " + what);
  }
  files.close(total);
}

// Makes random boxes of one of six kinds. They lie close to a few centres, or farther from them, or anywhere.
// Or all boxes of a centre are equal, or they form long rows that overlap, or their sizes differ widely.
std::vector<Detection> random_boxes(Random& random) {
  const int kind = random.below(6), count = random.pick({0, 1, 2, 5, 20, 60, 150, 400});
  const int centers = random.between(1, 12), field = random.pick({60, 400, 4000, 30000});
  const std::uint64_t seed = random.next();
  std::vector<Detection> boxes;
  for (int i = 0; i < count; ++i) {
    Random center(seed + static_cast<std::uint64_t>(random.below(centers)));
    const int size = center.between(8, 200), cx = center.below(field), cy = center.below(field);
    const int shake = std::max(1, size * (kind == 0 ? 1 : 3) / 10);
    winnow::Box box{cx + random.between(-shake, shake), cy + random.between(-shake, shake),
                    size + random.between(-shake, shake), size + random.between(-shake, shake)};
    if (kind == 2)
      box = {random.below(field), random.below(field), random.between(1, 90), random.between(1, 90)};
    if (kind == 3) box = {cx, cy, size, size};
    if (kind == 4) box = {i * 4, cy % 7, 24, 24};
    if (kind == 5) box = {box.x, box.y, box.width * random.between(1, 6), box.height * random.between(1, 6)};
    box.width = std::max(1, box.width), box.height = std::max(1, box.height);
    boxes.push_back({box, random.real() * 40 - 20, 1});
  }
  return boxes;
}

void step_group(const Settings& settings, Random random, StepCounts& total) {
  Tally counted("grouping: boxes, neighbours, order"), scored("grouping: boxes, scores, order");
  for (int n = 0; n < (settings.subset ? 2000 : 20000); ++n) {
    const std::vector<Detection> boxes = random_boxes(random);
    const int threshold = random.below(6);
    const double eps = random.pick({0.0, 0.1, 0.2, 0.2, 0.2, 0.35, 0.5, 0.6, random.real() * 0.6});
    std::vector<cv::Rect> rects;
    std::vector<double> weights;
    for (const Detection& d : boxes) {
      rects.emplace_back(d.box.x, d.box.y, d.box.width, d.box.height);
      weights.push_back(d.score);
    }
    std::vector<cv::Rect> by_count = rects, by_score = rects;
    std::vector<int> counts, levels(rects.size(), 1);
    cv::groupRectangles(by_count, counts, threshold, eps);
    cv::groupRectangles(by_score, levels, weights, threshold, eps);
    std::vector<Detection> ours;
    std::string error;
    try {
      ours = winnow::group_boxes(boxes, threshold, eps);
    } catch (const std::exception& e) {
      error = e.what();
    }
    bool same_counts = ours.size() == by_count.size(), same_scores = ours.size() == by_score.size();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const winnow::Box& b = ours[i].box;
      const cv::Rect rect(b.x, b.y, b.width, b.height);
      same_counts = same_counts && rect == by_count[i] && ours[i].neighbors == counts[i];
      same_scores = same_scores && rect == by_score[i] && ours[i].score == weights[i];
    }
    const std::string what = "set " + std::to_string(n) + " of " + std::to_string(boxes.size()) +
                             " boxes, more than " + std::to_string(threshold) + ", eps " +
                             std::to_string(eps) + ": " + std::to_string(ours.size()) + " groups, OpenCV " +
                             std::to_string(by_count.size()) + " " + error;
    counted.check(same_counts && error.empty(), what);
    scored.check(same_scores && error.empty(), what);
  }
  counted.close(total);
  scored.close(total);
}

// A grey picture, reduced to sides of at most 240 pixels, so that its faces are smaller than the window.
cv::Mat shrunk(const std::string& path) {
  const cv::Mat whole = cv::imread(path, cv::IMREAD_GRAYSCALE);
  const double factor = std::min(1., 240. / std::max({whole.cols, whole.rows, 1}));
  cv::Mat small;
  cv::resize(whole, small, {}, factor, factor, cv::INTER_AREA);
  return small;
}

// The windows that OpenCV finds on one enlarged level, in pixels of the picture.
std::vector<cv::Rect> level_windows(cv::CascadeClassifier& classifier, const cv::Mat& picture,
                                    double enlarged, int& walked) {
  const auto scale = static_cast<float>(1 / enlarged);
  const cv::Size window = classifier.getOriginalWindowSize();
  const cv::Size size(static_cast<int>(std::lrintf(static_cast<float>(picture.cols) / scale)),
                      static_cast<int>(std::lrintf(static_cast<float>(picture.rows) / scale)));
  cv::Mat level;
  cv::resize(picture, level, size, 0, 0, cv::INTER_LINEAR_EXACT);
  std::vector<cv::Rect> found;
  classifier.detectMultiScale(level, found, 1e6, 0, 0, window, window);
  // OpenCV leaves out rows that do not fill its stripes. Winnow searches them on enlarged levels.
  const int span_x = size.width + 1 - window.width, span_y = size.height + 1 - window.height;
  const int stripes = (span_x + 31) / 32, stripe = std::max((span_y / 2 + stripes - 1) / stripes, 1) * 2;
  walked = std::min(span_y, stripes * stripe);
  for (cv::Rect& box : found) {
    box = {static_cast<int>(std::lrintf(static_cast<float>(box.x) * scale)),
           static_cast<int>(std::lrintf(static_cast<float>(box.y) * scale)),
           static_cast<int>(std::lrintf(static_cast<float>(window.width) * scale)),
           static_cast<int>(std::lrintf(static_cast<float>(window.height) * scale))};
  }
  return found;
}

void step_enlarge(const Settings& settings, Random random, StepCounts& total) {
  Tally tally("enlarged levels: windows");
  cv::setNumThreads(1);
  const Pictures pictures(settings.data, settings.seed);
  if (!pictures.has_data()) {
    std::printf("enlarged levels: left out, since there is no data folder %s\n", settings.data.c_str());
    return;
  }
  std::size_t windows = 0;
  for (const char* name : {"haarcascades/haarcascade_frontalface_default.xml",
                           "lbpcascades/lbpcascade_frontalface.xml", "haarcascades/haarcascade_eye.xml"}) {
    const std::string path = std::string("/usr/share/opencv4/") + name;
    cv::CascadeClassifier classifier(path);
    winnow::Detector detector(winnow::Cascade::load(path),
                              {winnow::parse_backend(settings.backend), settings.threads, {0}});
    for (const std::string& picture_name : pictures.choose(settings.subset ? 20 : 200)) {
      const cv::Mat picture = shrunk((std::filesystem::path(settings.data) / picture_name).string());
      const double factor = random.pick({1.05, 1.1, 1.25, 1.6});
      std::vector<double> enlarged;
      for (double each = factor; each <= 2; each *= factor) enlarged.push_back(each);
      winnow::DetectOptions options;
      options.scale_factor = factor;
      options.enlarge = 2;
      options.raw = true;
      options.clip = false;
      std::vector<winnow::Detection> ours = detector
                                                .detect(GrayView{picture.data, picture.cols, picture.rows,
                                                                 static_cast<std::ptrdiff_t>(picture.step)},
                                                        options)
                                                .objects;
      // Windows of scale 1 and more are at least as large as the model's.
      const cv::Size window = classifier.getOriginalWindowSize();
      std::erase_if(ours, [&](const winnow::Detection& d) { return d.box.width >= window.width; });
      std::size_t at = 0;
      bool same = true;
      for (auto each = enlarged.rbegin(); each != enlarged.rend(); ++each) {
        int walked = 0;
        if (std::lrint(picture.cols * *each) < window.width ||
            std::lrint(picture.rows * *each) < window.height)
          continue;
        for (const cv::Rect& box : level_windows(classifier, picture, *each, walked)) {
          // Windows that only Winnow finds must lie in the rows that OpenCV leaves out.
          const auto is_box = [&](const winnow::Detection& d) {
            return d.box == winnow::Box{box.x, box.y, box.width, box.height};
          };
          while (at < ours.size() && !is_box(ours[at])) {
            same = same && ours[at].box.y >= static_cast<int>(std::floor((walked - 1) / *each));
            ++at;
          }
          same = same && at < ours.size();
          ++at, ++windows;
        }
      }
      for (; at < ours.size(); ++at) same = same && ours[at].box.height > 0;
      tally.check(same, std::string(name) + ", " + picture_name);
    }
  }
  tally.check(windows > 20, "only " + std::to_string(windows) + " windows passed");
  tally.close(total);
}

}  // namespace

StepCounts run_steps(const Settings& settings) {
  StepCounts total;
  const auto random = [&](const char* step) { return Random(hash_text(step, settings.seed)); };
  step_color(random("color"), total);
  step_jpeg(settings, random("jpeg"), total);
  step_group(settings, random("group"), total);
  step_enlarge(settings, random("enlarge"), total);
  return total;
}

}  // namespace witness
