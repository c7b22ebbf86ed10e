// winnow_people_cuda: times a HOG SVM or a cascade of HOG blocks on a device, from host memory to host
// results, on one picture of 1280x960. The program also compares the device's answers with those of the
// backend `cpu`.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "machine_card.h"
#include "pairs.h"
#include "plain_search.h"
#include "scale/resize.h"

namespace {

using namespace winnow;

constexpr Size kSize{1280, 960};

// Reads the picture and resizes it to the size of the bench.
Picture read(const std::string& path) {
  const Picture picture = read_picture(path, {true});
  const RgbImage& from = picture.color;
  Picture to;
  to.color = RgbImage(kSize.width, kSize.height);
  for (std::uint8_t Rgb::*channel : {&Rgb::r, &Rgb::g, &Rgb::b}) {
    GrayImage plane(from.width(), from.height()), resized(kSize.width, kSize.height);
    for (int y = 0; y < from.height(); ++y)
      for (int x = 0; x < from.width(); ++x) plane.row(y)[x] = from.row(y)[x].*channel;
    resize_ref(std::as_const(plane).view(), resized.view());
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) to.color.row(y)[x].*channel = resized.row(y)[x];
  }
  to.gray = to_gray(std::as_const(to.color).view());
  return to;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times a HOG SVM or a cascade of HOG blocks on a device, at 1280x960.");
  std::string model_path, path, json_path, backend = "cuda";
  int repeat = 9, frames = 512;
  std::vector<double> scales = {1.05, 1.1, 1.2};
  app.add_option("-m,--model", model_path, "a HOG SVM or a cascade of HOG blocks")->required();
  app.add_option("PICTURE", path, "a picture; it is resized")->required();
  app.add_option("--backend", backend, "the backend");
  app.add_option("--frames", frames, "frames of a call in batches")->check(CLI::PositiveNumber);
  app.add_option("--repeat", repeat, "runs")->check(CLI::PositiveNumber);
  app.add_option("--scale", scales, "scale factors");
  app.add_option("--json", json_path, "write the figures there, too");
  CLI11_PARSE(app, argc, argv);
  const DetectorModel model = DetectorModel::load(model_path);
  Detector detector(model, {parse_backend(backend), 0}), cpu(model, {BackendKind::kCpu, 0});
  const Picture picture = read(path);
  // Copies of the picture, so that a call reads as much memory as with the frames of a film.
  std::vector<GrayImage> grays;
  std::vector<RgbImage> colors;
  std::vector<PictureView> views;
  for (int i = 0; i < std::min(frames, 64); ++i) {
    grays.push_back(picture.gray.clone());
    colors.push_back(picture.color.clone());
  }
  for (int i = 0; i < frames; ++i) {
    const auto at = static_cast<std::size_t>(i) % grays.size();
    views.emplace_back(std::as_const(grays[at]).view(), std::as_const(colors[at]).view());
  }
  nlohmann::json report{{"machine", machine_card()}, {"backend", backend}};
  bool equal = true;
  for (const double scale : scales) {
    for (const bool gray : {true, false}) {
      if (!gray && HogCascade::from(model)) continue;  // cascades of HOG blocks do not read colours
      DetectOptions options = bench::plain_search(scale, 2);
      options.gray = gray;
      const Detections wanted = cpu.detect(picture.view(), options);
      std::vector<Detections> found;
      Detections one;
      std::vector<double> batch_ms, one_ms;
      for (int run = 0; run < repeat + 3; ++run) {
        const double ms = bench::milliseconds([&] { detector.detect(views, options, found); });
        if (run >= 3) batch_ms.push_back(ms / frames);
      }
      for (int run = 0; run < 20 * repeat + 3; ++run) {
        const double ms = bench::milliseconds([&] { detector.detect(views[0], options, one); });
        if (run >= 3) one_ms.push_back(ms);
      }
      found.push_back(one);
      // The picture may show no people, so windows with low scores are compared, too.
      DetectOptions many = options;
      many.min_score = -1.5;
      many.raw = true;
      const Detections candidates = cpu.detect(picture.view(), many);
      const bool same = detector.detect(picture.view(), many).objects == candidates.objects &&
                        std::all_of(found.begin(), found.end(), [&](const Detections& got) {
                          return got.objects == wanted.objects && got.counters.same_answer(wanted.counters);
                        });
      equal = equal && same;
      const double in_batches = bench::median(batch_ms), alone = bench::median(one_ms);
      std::printf(
          "scale %.2f %s: batches %7.4f ms a frame (least %7.4f), one frame %7.4f ms, %lld windows, %zu "
          "candidates, %zu "
          "objects %s\n",
          scale, gray ? "grey  " : "colour", in_batches, *std::min_element(batch_ms.begin(), batch_ms.end()),
          alone, static_cast<long long>(wanted.counters.windows), candidates.objects.size(),
          wanted.objects.size(), same ? "equal" : "DIFFERENT");
      report["rows"].push_back({scale, gray ? "grey" : "colour", in_batches, alone, wanted.counters.windows,
                                wanted.objects.size()});
    }
  }
  if (!json_path.empty()) std::ofstream(json_path) << report.dump(1) << "\n";
  return equal ? 0 : 1;
}
