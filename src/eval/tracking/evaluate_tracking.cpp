// Compares tracks with marked tracks, as winnow/eval_tracking.h declares; its opening comment holds here.
#include <winnow/eval_tracking.h>

#include <cmath>
#include <limits>
#include <string>

#include <winnow/error.h>

#include "base/count_text.h"
#include "eval/ratio.h"
#include "eval/tracking/tracking_rule.h"

namespace winnow {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Throws kUsage for a box without a finite place or without an area, and for a confidence outside 0 to 1.
void check_frames(const BoxTrack& track, const char* name) {
  for (std::size_t i = 0; i < track.frames.size(); ++i) {
    const FrameBox& frame = track.frames[i];
    const auto fail = [&](const char* why) {
      throw Error(ErrorCode::kUsage, std::string(name) + ", frame " + std::to_string(i) + ": " + why);
    };
    if (frame.box &&
        !(std::isfinite(frame.box->x) && std::isfinite(frame.box->y) && std::isfinite(frame.box->width) &&
          std::isfinite(frame.box->height) && frame.box->width > 0 && frame.box->height > 0))
      fail("a box must have finite numbers and an area");
    if (!std::isnan(frame.confidence) && !(frame.confidence >= 0 && frame.confidence <= 1))
      fail("a confidence must be from 0 to 1");
  }
}

void check(const BoxTrack& truth, const BoxTrack& result, const TrackingRule& rule) {
  if (!(rule.overlap > 0 && rule.overlap <= 1))
    throw Error(ErrorCode::kUsage, "the overlap of a right box must be above 0 and at most 1");
  const auto frames = [](const BoxTrack& track) { return static_cast<std::int64_t>(track.frames.size()); };
  if (frames(truth) != frames(result))
    throw Error(ErrorCode::kUsage, "the result has " + count_text(frames(result), "frame") +
                                       ", and the truth has " + std::to_string(frames(truth)));
  if (frames(truth) < 2)
    throw Error(ErrorCode::kUsage, "a sequence must have 2 frames: the first is not judged");
  check_frames(truth, "the truth");
  check_frames(result, "the result");
}

// Counts of judged frames.
struct Counts {
  std::int64_t lost_absent = 0, lost_present = 0;
  std::array<std::int64_t, kSuccessSteps + 1> success{};
  std::array<std::int64_t, kMostPixels + 1> within{};
};

Counts count_frames(TrackingEvaluation& judged) {
  Counts counts;
  for (const JudgedFrame& frame : judged.frames) {
    judged.boxes += frame.found ? 1 : 0;
    judged.right += is_right(frame, judged.rule) ? 1 : 0;
    if (!frame.present) {
      ++judged.absent;
      counts.lost_absent += frame.found ? 0 : 1;
      continue;
    }
    ++judged.present;
    counts.lost_present += frame.found ? 0 : 1;
    for (std::size_t i = 0; i <= kSuccessSteps; ++i) counts.success[i] += exceeds(frame, i) ? 1 : 0;
    for (std::size_t i = 0; i <= kMostPixels; ++i) counts.within[i] += is_within(frame, i) ? 1 : 0;
  }
  return counts;
}

TrackingFigures figures_of(const TrackingEvaluation& judged, const Counts& counts) {
  TrackingFigures figures;
  double sum = 0;
  for (std::size_t i = 0; i <= kSuccessSteps; ++i) {
    figures.success[i] = ratio(counts.success[i], judged.present);
    sum += figures.success[i];
  }
  figures.auc = sum / static_cast<double>(kSuccessSteps + 1);
  for (std::size_t i = 0; i <= kMostPixels; ++i) figures.within[i] = ratio(counts.within[i], judged.present);
  figures.precision = ratio(judged.right, judged.boxes);
  figures.recall = ratio(judged.right, judged.present);
  // 2pr / (p + r) without the division by zero.
  figures.f = judged.present > 0 ? ratio(2 * judged.right, judged.boxes + judged.present) : kNone;
  figures.lost_absent = ratio(counts.lost_absent, judged.absent);
  figures.lost_present = ratio(counts.lost_present, judged.present);
  return figures;
}

// Calls `work` with each figure of `to`, and the same figure of `from`.
template <class Work>
void each_figure(TrackingFigures& to, const TrackingFigures& from, Work work) {
  for (std::size_t i = 0; i <= kSuccessSteps; ++i) work(to.success[i], from.success[i]);
  for (std::size_t i = 0; i <= kMostPixels; ++i) work(to.within[i], from.within[i]);
  for (const auto figure :
       {&TrackingFigures::auc, &TrackingFigures::precision, &TrackingFigures::recall, &TrackingFigures::f,
        &TrackingFigures::lost_absent, &TrackingFigures::lost_present})
    work(to.*figure, from.*figure);
}

}  // namespace

std::int64_t TrackingReliability::boxes() const {
  std::int64_t boxes = 0;
  for (const TrackingBin& bin : bins) boxes += bin.boxes;
  return boxes;
}

double TrackingReliability::difference() const {
  double sum = 0;
  for (const TrackingBin& bin : bins)
    if (bin.boxes > 0) sum += static_cast<double>(bin.boxes) * std::abs(bin.stated - bin.right);
  return boxes() > 0 ? sum / static_cast<double>(boxes()) : kNone;
}

TrackingEvaluation evaluate_tracking(const BoxTrack& truth, const BoxTrack& result,
                                     const TrackingRule& rule) {
  check(truth, result, rule);
  TrackingEvaluation judged;
  judged.rule = rule;
  judged.format = result.format;
  judged.frames.reserve(truth.frames.size() - 1);
  for (std::size_t i = 1; i < truth.frames.size(); ++i)
    judged.frames.push_back(judge_frame(truth.frames[i], result.frames[i]));
  judged.figures = figures_of(judged, count_frames(judged));
  judged.reliability = joined_reliability({&judged, 1});
  return judged;
}

TrackingFigures mean_figures(std::span<const TrackingEvaluation> sequences) {
  TrackingFigures sums, counts;
  for (const TrackingEvaluation& judged : sequences) {
    each_figure(sums, judged.figures, [](double& sum, double figure) {
      if (!std::isnan(figure)) sum += figure;
    });
    each_figure(counts, judged.figures, [](double& count, double figure) {
      if (!std::isnan(figure)) ++count;
    });
  }
  each_figure(sums, counts, [](double& sum, double count) { sum = count > 0 ? sum / count : kNone; });
  return sums;
}

std::optional<TrackingReliability> joined_reliability(std::span<const TrackingEvaluation> sequences) {
  TrackingReliability reliability;
  std::array<std::int64_t, 10> right{}, near{};  // of each bin: right boxes, boxes with a distance
  for (const TrackingEvaluation& judged : sequences) {
    for (const JudgedFrame& frame : judged.frames) {
      if (!frame.found || std::isnan(frame.confidence)) continue;
      const std::size_t i = bin_of(frame.confidence, reliability.bins.size());
      TrackingBin& bin = reliability.bins[i];
      ++bin.boxes;
      bin.stated += frame.confidence;
      right[i] += is_right(frame, judged.rule) ? 1 : 0;
      if (!frame.present) continue;
      ++near[i];
      bin.distance += frame.distance;
    }
  }
  if (reliability.boxes() == 0) return std::nullopt;
  for (std::size_t i = 0; i < reliability.bins.size(); ++i) {
    TrackingBin& bin = reliability.bins[i];
    bin.stated = bin.boxes > 0 ? bin.stated / static_cast<double>(bin.boxes) : kNone;
    bin.right = ratio(right[i], bin.boxes);
    bin.distance = near[i] > 0 ? bin.distance / static_cast<double>(near[i]) : kNone;
  }
  return reliability;
}

}  // namespace winnow
