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

namespace winnow {
namespace {

// Whether a side would be as long as it is, to within a pixel, if the other alone decided.
bool same_shape(Size crop, Size window) {
  const auto w = static_cast<std::int64_t>(crop.width), h = static_cast<std::int64_t>(crop.height);
  const std::int64_t difference = std::abs(w * window.height - h * window.width);
  return difference <= std::max(window.width, window.height);
}

}  // namespace

double WindowEvaluation::miss_rate(const WindowPoint& point) const {
  return ratio(positives - point.found, positives);
}

double WindowEvaluation::wrong_per_window(const WindowPoint& point) const {
  return ratio(point.wrong, windows);
}

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

std::optional<double> window_score(Detector& detector, GrayView crop) {
  const Size window = detector.cascade().window();
  GrayImage resized;
  if (crop.size() != window) {
    if (crop.width < window.width || crop.height < window.height || !same_shape(crop.size(), window)) {
      throw Error(ErrorCode::kUsage, "a crop of " + size_text(crop.size()) + " is no window of " +
                                         size_text(window) +
                                         ": it must have that size, or be larger and of that shape");
    }
    resized = GrayImage(window.width, window.height);
    resize_ref(crop, resized.view());
    crop = std::as_const(resized).view();
  }
  DetectOptions options;
  options.scale_factor = 2;  // so that the window's own size is the only level
  options.raw = true;
  const Detections found = detector.detect(crop, options);
  if (found.objects.empty()) return std::nullopt;
  return found.objects.front().score;
}

}  // namespace winnow
