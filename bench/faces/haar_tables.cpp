// Makes the table of detection's speed by input scale and step.
#include <winnow/detector.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "faces/call_time.h"
#include "faces/moving_picture.h"
#include "faces/overlap_groups.h"
#include "faces/scaled_search.h"
#include "faces/step_tables.h"

namespace bench {
namespace {

using winnow::GrayImage;
using winnow::GrayView;
using winnow::PictureView;
using winnow::Size;

constexpr double kFactor = 1.2;        // scale factor of the thesis
constexpr std::size_t kTogether = 32;  // frames of a call on a device

Size scaled_size(Size size, double scale) {
  return {static_cast<int>(std::lround(size.width * scale)),
          static_cast<int>(std::lround(size.height * scale))};
}

GrayImage resized(GrayView frame, Size size) {
  GrayImage image(size.width, size.height);
  winnow::resize_ref(frame, image.view());
  return image;
}

struct Timed {
  std::int64_t windows = 0;
  std::size_t objects = 0;
  double rate = 0, rate_together = 0;  // frames a second: with one frame a call, and with many
};

// `dense`: searches only for windows of at least twice the cascade's size, so that the step is 1 in each
// level.
Timed time_winnow(winnow::Detector& detector, GrayView frame, bool dense, const Calls& calls) {
  winnow::DetectOptions options;
  options.scale_factor = kFactor;
  const Size window = detector.cascade().window();
  if (dense) options.min_size = {2 * window.width, 2 * window.height};
  winnow::Detections found;
  Timed timed;
  timed.rate = 1e3 / median_milliseconds(calls, [&] { detector.detect(frame, options, found); });
  timed.windows = found.counters.windows;
  timed.objects = found.objects.size();
  if (detector.backend() != winnow::BackendKind::kCuda) return timed;
  const std::vector<PictureView> frames(kTogether, PictureView(frame));
  std::vector<winnow::Detections> all;
  timed.rate_together = static_cast<double>(kTogether) * 1e3 /
                        median_milliseconds(calls, [&] { detector.detect(frames, options, all); });
  return timed;
}

Timed time_scaled(const winnow::CascadeModel& model, GrayView frame, int step, const Calls& calls) {
  const ScaledSearch search{kFactor, step};
  Timed timed;
  timed.rate = 1e3 / median_milliseconds(calls, [&] {
                 timed.objects = overlap_groups(scaled_search(frame, model, search)).size();
               });
  timed.windows = scaled_windows(frame.size(), model.window, search);
  return timed;
}

}  // namespace

ResultList haar_results(const winnow::Cascade& cascade, GrayView face, Size whole,
                        std::span<const double> scales, const TableRun& run) {
  winnow::Detector detector(cascade, run.machine);
  const bool device = detector.backend() == winnow::BackendKind::kCuda;
  const Calls calls = calls_on(run.machine, run.repeat);
  const std::string backend = winnow::backend_name(detector.backend());
  ResultList list{
      "face_haar_" + backend,
      "Detection by input scale and step on `" + backend + "`",
      "frames a second",
      run.command,
      "Frames show ground with texture, and with a face also a picture in the middle. "
      "The picture is scaled to five eighths of the frame's shorter side. "
      "Inputs are scaled before the time begins. The cascade is `" +
          cascade.name() +
          "`, and sizes of windows grow by 1.2. Each object that is not the face is a false one. "
          "The thesis scales the features, and its step counts in pixels of the input at every size. "
          "Winnow scales the picture, and its step counts in pixels of the level: "
          "2 on levels smaller by less than 2, else 1. Winnow has no option for the step. "
          "For a step of 1 everywhere, the input is enlarged by 2 before the time begins, "
          "and windows are searched from twice the cascade's on. " +
          (device ? "Calls have one frame, or 32. "
                  : "Scaled features run in plain loops (`bench/faces/scaled_search.cpp`). "
                    "Their windows are grouped by overlap. ") +
          calls_in_words(calls) +
          "The thesis prints the ends of its range: the whole input, and its smallest, "
          "whose scale the text does not say.",
      {"search", "size", "scene", "windows", "objects", "rate", "together"},
      {{"search", "search"}, {"size", "input"}, {"scene", "scene"}},
      {{"windows", "windows", 0}, {"objects", "objects", 0}, {"rate", "frames a second", 1}}};
  if (device) list.values.push_back({"together", "32 frames a call", 0});
  const auto add = [&](const std::string& search, Size size, bool with_face, const Timed& timed) {
    list.rows.push_back({search, std::to_string(size.width) + "x" + std::to_string(size.height),
                         with_face ? "a face" : "no face", timed.windows, timed.objects, timed.rate,
                         nullptr});
    if (device) list.rows.back()[6] = timed.rate_together;
  };
  for (const bool with_face : {false, true}) {
    if (with_face && face.empty()) continue;
    const GrayImage frame = frame_with(with_face ? face : GrayView(), whole);
    for (const double scale : scales) {
      const Size size = scaled_size(whole, scale);
      const GrayImage input = resized(frame.view(), size);
      const GrayImage twice = resized(input.view(), {2 * size.width, 2 * size.height});
      add("Winnow, step by its rule", size, with_face, time_winnow(detector, input.view(), false, calls));
      add("Winnow, step 1 everywhere", size, with_face, time_winnow(detector, twice.view(), true, calls));
      if (device) continue;
      for (const int step : {1, 2})
        add("features scaled, step " + std::to_string(step), size, with_face,
            time_scaled(cascade.model(), input.view(), step, calls));
    }
  }
  for (const auto& [size, rate] : {std::pair("720x1280", 2), {"smallest", 92}})
    list.rows.push_back({"the thesis, iPhone 7", size, "", nullptr, nullptr, rate, nullptr});
  return list;
}

}  // namespace bench
