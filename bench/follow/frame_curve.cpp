#include "follow/frame_curve.h"

#include <winnow/face_finder.h>
#include <winnow/follower.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "faces/call_time.h"
#include "faces/moving_picture.h"
#include "frame_size.h"
#include "page/svg_plot.h"

namespace bench {
namespace {

constexpr int kEvery = 10, kWarm = 4 * kEvery;
constexpr const char *kNoFace = "no face", *kEachFrame = "a face, searched every frame",
                     *kTenthFrame = "a face, searched every 10th frame";

// `take` takes a frame and gives the number of its faces.
template <class Take>
FrameCurve curve_of(const std::string& setting, const MovingPicture& video, const CurveRun& run,
                    Take&& take) {
  FrameCurve curve{setting, 0, FrameTimes(calls_on(run.machine, 1).processor)};
  std::size_t faces = 0;
  for (int number = 0; number < kWarm; ++number) take(video.frame(number));
  for (int number = kWarm; number < kWarm + run.frames; ++number)
    curve.times.time([&] { faces += take(video.frame(number)); });
  curve.faces = static_cast<double>(faces) / run.frames;
  return curve;
}

}  // namespace

std::vector<FrameCurve> frame_curves(const winnow::DetectorModel& detector,
                                     const winnow::Landmarks& landmarks, winnow::GrayView face,
                                     const CurveRun& run) {
  std::vector<FrameCurve> curves;
  winnow::FollowOptions options;
  options.detect_every = kEvery;
  options.until_found = true;
  std::vector<winnow::Followed> followed;
  const auto follow = [&](const std::string& setting, const MovingPicture& video) {
    winnow::Follower follower(detector, landmarks, options, run.machine);
    curves.push_back(curve_of(setting, video, run, [&](winnow::GrayView frame) {
      follower.next(frame, followed);
      return followed.size();
    }));
  };
  follow(kNoFace, MovingPicture({}, run.size));
  if (face.empty()) return curves;
  const MovingPicture video(face, run.size);
  winnow::FaceFinder finder(detector, landmarks, run.machine);
  // `Follower` needs as much presence of a new face.
  const std::optional<double> least =
      landmarks.model().has_presence() ? std::optional(options.begin) : std::nullopt;
  std::vector<winnow::Detections> found(1);
  std::vector<std::vector<winnow::Shape>> shapes(1);
  curves.push_back(curve_of(kEachFrame, video, run, [&](winnow::GrayView frame) {
    const winnow::PictureView view(frame);
    finder.find({&view, 1}, {}, found, shapes, least);
    return found[0].objects.size();
  }));
  follow(kTenthFrame, video);
  return curves;
}

ResultList curve_results(std::span<const FrameCurve> curves, const CurveRun& run, const std::string& backend,
                         const std::string& command) {
  ResultList list{
      "face_curve_" + backend,
      "Times of " + std::to_string(run.frames) + " frames on `" + backend + "`",
      "milliseconds",
      command,
      "A picture of a face moves over ground with texture, in frames of " + size_in_words(run.size) +
          ". In frames without a face, `Follower` searches each frame, as the thesis does "
          "(`FollowOptions::until_found`). "
          "`FaceFinder` searches a face in every frame, without flow. "
          "`Follower` searches every 10th frame, and fits the points anew in each frame between. "
          "Each frame is timed alone, from host memory to host results" +
          (calls_on(run.machine, 1).processor ? ", in processor time of one thread. " : ". ") +
          "Nothing is decoded or shown. The thesis draws its curve, and its text gives the means.",
      {"on", "setting", "faces", "rate", "mean", "median", "95", "greatest"},
      {{"on", "on"}, {"setting", "setting"}},
      {{"faces", "faces a frame", 2}, {"rate", "frames a second", 1}}};
  for (const ShownValue& value : time_values("a frame", 3)) list.values.push_back(value);
  for (const FrameCurve& curve : curves) {
    nlohmann::ordered_json row{"this machine", curve.setting, curve.faces, 1e3 / curve.times.mean()};
    for (const double figure : curve.times.figures()) row.push_back(figure);
    list.rows.push_back(std::move(row));
  }
  const auto thesis = [&](const char* setting, int faces, double rate, double mean) {
    list.rows.push_back({"the thesis, iPhone 7", setting, faces, rate, mean, nullptr, nullptr, nullptr});
  };
  thesis(kNoFace, 0, 40.33, 24.7958);
  thesis(kEachFrame, 1, 24.20, 41.3066);
  thesis(kTenthFrame, 1, 39.9, 25.0506);
  return list;
}

std::string curve_picture(std::span<const FrameCurve> curves, const CurveRun& run) {
  winnow::Plot plot{"Time of each frame of " + size_in_words(run.size),
                    {"frame", 0, static_cast<double>(run.frames), false},
                    {"milliseconds", 0, 1, false},
                    {}};
  double high = 0;
  for (const FrameCurve& curve : curves) {
    winnow::PlotSeries series{curve.setting, {}};
    for (std::size_t i = 0; i < curve.times.all().size(); ++i)
      series.points.push_back({static_cast<double>(i), curve.times.all()[i]});
    plot.series.push_back(std::move(series));
    high = std::max(high, curve.times.within(0.99));  // a few late frames may be cut off
  }
  plot.y.high = winnow::round_limit(1.05 * high);
  std::string svg = winnow::svg_plot(plot);
  // In a file of its own, the picture needs light ground for its dark text.
  return svg.insert(svg.find('\n') + 1, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

}  // namespace bench
