// Scores single windows, and computes the curve and the rates of a `WindowEvaluation`.
#include <winnow/eval.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>

#include <winnow/error.h>

#include "base/size_text.h"
#include "eval/ratio.h"
#include "scale/resize.h"
#include "session/raw_search.h"

namespace winnow {
namespace {

// Whether the crop's sides have the ratio of the window's sides, to within a pixel.
bool same_shape(Size crop, Size window) {
  const auto w = static_cast<std::int64_t>(crop.width), h = static_cast<std::int64_t>(crop.height);
  const std::int64_t difference = std::abs(w * window.height - h * window.width);
  return difference <= std::max(window.width, window.height);
}

// Resizes a colour picture: each channel is resized as if it were a grey picture.
RgbImage resize_channels(RgbView color, Size size) {
  RgbImage resized(size.width, size.height);
  for (std::uint8_t Rgb::*const channel : {&Rgb::r, &Rgb::g, &Rgb::b}) {
    GrayImage from(color.width, color.height), to(size.width, size.height);
    for (int y = 0; y < color.height; ++y) {
      for (int x = 0; x < color.width; ++x) from.row(y)[x] = color.row(y)[x].*channel;
    }
    resize_ref(from.view(), to.view());
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) resized.row(y)[x].*channel = to.row(y)[x];
    }
  }
  return resized;
}

}  // namespace

double WindowEvaluation::miss_rate(const WindowPoint& point) const {
  return ratio(positives - point.found, positives);
}

double WindowEvaluation::wrong_per_window(const WindowPoint& point) const {
  return ratio(point.wrong, windows);
}

double WindowEvaluation::ends_at() const { return ratio(curve.empty() ? 0 : curve.back().wrong, windows); }

double WindowEvaluation::miss_rate_at(double most) const {
  if (positives == 0 || windows == 0) return std::numeric_limits<double>::quiet_NaN();
  double best = 1;
  for (const WindowPoint& point : curve) {
    if (wrong_per_window(point) <= most) best = std::min(best, miss_rate(point));
  }
  return best;
}

WindowEvaluation evaluate_windows(std::span<const double> positives, std::int64_t count,
                                  std::span<const double> negatives, std::int64_t windows) {
  const auto good = [](double score) { return !std::isnan(score); };
  if (!std::all_of(positives.begin(), positives.end(), good) ||
      !std::all_of(negatives.begin(), negatives.end(), good))
    throw Error(ErrorCode::kUsage, "a window's score must be a number");
  if (count < static_cast<std::int64_t>(positives.size()) ||
      windows < static_cast<std::int64_t>(negatives.size()))
    throw Error(ErrorCode::kUsage, "more windows have a score than there are");
  std::vector<double> right(positives.begin(), positives.end()), wrong(negatives.begin(), negatives.end());
  std::sort(right.begin(), right.end(), std::greater());
  std::sort(wrong.begin(), wrong.end(), std::greater());
  WindowEvaluation result;
  result.positives = count;
  result.windows = windows;
  std::size_t r = 0, w = 0;
  while (r < right.size() || w < wrong.size()) {
    const double score = r == right.size()   ? wrong[w]
                         : w == wrong.size() ? right[r]
                                             : std::max(right[r], wrong[w]);
    while (r < right.size() && right[r] == score) ++r;
    while (w < wrong.size() && wrong[w] == score) ++w;
    result.curve.push_back({score, static_cast<std::int64_t>(r), static_cast<std::int64_t>(w)});
  }
  return result;
}

std::optional<double> window_score(Detector& detector, const PictureView& crop) {
  DetectOptions options;
  options.min_score = std::numeric_limits<double>::lowest();  // every score counts, even a very low one
  return window_score(detector, crop, options);
}

std::optional<double> window_score(Detector& detector, const PictureView& whole,
                                   const DetectOptions& wanted) {
  PictureView crop = whole;
  const Size window = detector.model().window();
  GrayImage resized;
  RgbImage resized_color;
  if (crop.size() != window) {
    if (crop.size().width < window.width || crop.size().height < window.height ||
        !same_shape(crop.size(), window)) {
      throw Error(ErrorCode::kUsage, "a crop of " + size_text(crop.size()) + " is no window of " +
                                         size_text(window) +
                                         ": it must have that size, or be larger and of that shape");
    }
    resized = GrayImage(window.width, window.height);
    resize_ref(crop.gray, resized.view());
    crop.gray = std::as_const(resized).view();
    if (crop.color.data != nullptr) {
      resized_color = resize_channels(crop.color, window);
      crop.color = std::as_const(resized_color).view();
    }
  }
  DetectOptions options = raw_search();
  options.scale_factor = 2;  // so that the window's own size is the only level
  options.min_score = wanted.min_score;
  options.gray = wanted.gray;
  const Detections found = detector.detect(crop, options);
  if (found.objects.empty()) return std::nullopt;
  return found.objects.front().score;
}

}  // namespace winnow
