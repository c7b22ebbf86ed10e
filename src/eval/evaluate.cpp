// Matches detections with labels, and computes the curve and the rates of an `Evaluation`.
#include <winnow/eval.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <winnow/error.h>

#include "eval/match_rule.h"
#include "eval/ratio.h"

namespace winnow {
namespace {

void require(bool holds, const std::string& sentence, const std::string& file = {}) {
  if (!holds) throw Error(ErrorCode::kUsage, sentence, file);
}

double rank_of(const Detection& detection, RankBy by) {
  return by == RankBy::kScore ? detection.score : static_cast<double>(detection.neighbors);
}

// Gives a detection its verdict. The detection takes the free label that matches best. If there is none, it
// takes an ignored label that matches. Any number of detections may take one ignored label.
void judge(JudgedDetection& judged, const LabelledPicture& picture, std::vector<bool>& taken,
           const EvalRule& rule) {
  double best = -1;
  for (std::size_t i = 0; i < picture.labels.size(); ++i) {
    const Label& label = picture.labels[i];
    if (label.ignore || taken[i]) continue;
    const auto matched = match(judged.detection.box, label, rule);
    if (!matched || *matched <= best) continue;
    best = *matched;
    judged.verdict = Verdict::kRight;
    judged.label = i;
  }
  if (judged.label) {
    taken[*judged.label] = true;
    return;
  }
  for (std::size_t i = 0; i < picture.labels.size(); ++i) {
    if (!picture.labels[i].ignore || !match(judged.detection.box, picture.labels[i], rule)) continue;
    judged.verdict = Verdict::kIgnored;
    judged.label = i;
    return;
  }
}

void check_points(const LabelledPicture& picture, const EvalRule& rule) {
  for (const Label& label : picture.labels) {
    require(label.ignore || has_points(label, rule),
            "the rule asks for more points than the " + std::to_string(label.points.size()) +
                " of a label (points are counted from 0)",
            picture.name.empty() ? picture.path : picture.name);
  }
}

// Makes the curve. `judged` must be sorted by falling rank.
std::vector<CurvePoint> make_curve(const std::vector<JudgedDetection>& judged) {
  std::vector<CurvePoint> curve;
  std::int64_t found = 0, wrong = 0;
  for (const JudgedDetection& each : judged) {
    if (each.verdict == Verdict::kIgnored) continue;
    ++(each.verdict == Verdict::kRight ? found : wrong);
    if (curve.empty() || curve.back().rank != each.rank) curve.push_back({each.rank, 0, 0});
    curve.back().found = found;
    curve.back().wrong = wrong;
  }
  return curve;
}

}  // namespace

void check_rule(const EvalRule& rule) {
  require(rule.iou > 0 && rule.iou <= 1, "the overlap that is asked for must be above 0 and at most 1");
  require(rule.place.margin >= 0 && rule.place.margin < 0.5 && rule.place.aspect >= 0 &&
              std::isfinite(rule.place.aspect),
          "the margin must be from 0 to below 0.5, and the aspect 0 or more");
  require(rule.at_most > 0 && std::isfinite(rule.at_most), "the largest side, in spans, must be above 0");
  require(!rule.hold.empty(), "the rule must name a point that a box holds");
  const auto good = [](int i) { return i >= 0; };
  require(std::all_of(rule.hold.begin(), rule.hold.end(), good) &&
              std::all_of(rule.span.begin(), rule.span.end(), good),
          "points are counted from 0");
}

Evaluation evaluate(std::span<const LabelledPicture> pictures, std::span<const std::vector<Detection>> found,
                    const EvalRule& rule) {
  check_rule(rule);
  require(pictures.size() == found.size(), "there must be a list of detections for each picture");
  Evaluation result;
  result.pictures = static_cast<std::int64_t>(pictures.size());
  std::vector<bool> taken;
  std::vector<JudgedDetection> own;
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    const LabelledPicture& picture = pictures[p];
    if (rule.match == MatchKind::kPoints) check_points(picture, rule);
    for (const Label& label : picture.labels) ++(label.ignore ? result.ignored_labels : result.labels);
    own.clear();
    for (const Detection& detection : found[p]) {
      const double rank = rank_of(detection, rule.rank);
      require(!std::isnan(rank), "a detection's score must be a number");
      own.push_back({p, detection, rank, Verdict::kWrong, std::nullopt});
    }
    std::stable_sort(own.begin(), own.end(),
                     [](const JudgedDetection& a, const JudgedDetection& b) { return a.rank > b.rank; });
    taken.assign(picture.labels.size(), false);
    for (JudgedDetection& each : own) judge(each, picture, taken, rule);
    result.judged.insert(result.judged.end(), own.begin(), own.end());
  }
  std::stable_sort(result.judged.begin(), result.judged.end(),
                   [](const JudgedDetection& a, const JudgedDetection& b) { return a.rank > b.rank; });
  result.curve = make_curve(result.judged);
  return result;
}

double Evaluation::recall(const CurvePoint& point) const { return ratio(point.found, labels); }

double Evaluation::precision(const CurvePoint& point) {
  return ratio(point.found, point.found + point.wrong);
}

double Evaluation::miss_rate(const CurvePoint& point) const { return ratio(labels - point.found, labels); }

double Evaluation::wrong_per_picture(const CurvePoint& point) const { return ratio(point.wrong, pictures); }

double Evaluation::ends_at() const { return ratio(wrong(), pictures); }

double Evaluation::recall_at(std::int64_t most_wrong) const {
  // The numbers of found objects and of false positives only grow along the curve.
  const auto past = std::upper_bound(curve.begin(), curve.end(), most_wrong,
                                     [](std::int64_t most, const CurvePoint& p) { return most < p.wrong; });
  return ratio(past == curve.begin() ? 0 : std::prev(past)->found, labels);
}

double Evaluation::average_precision() const {
  if (labels == 0) return std::numeric_limits<double>::quiet_NaN();
  double area = 0, best = 0;
  for (std::size_t i = curve.size(); i-- > 0;) {
    best = std::max(best, precision(curve[i]));
    const std::int64_t before = i > 0 ? curve[i - 1].found : 0;
    area += best * static_cast<double>(curve[i].found - before);
  }
  return area / static_cast<double>(labels);
}

double Evaluation::miss_rate_at(double most) const {
  if (labels == 0 || pictures == 0) return std::numeric_limits<double>::quiet_NaN();
  // The numbers of found objects and of false positives only grow along the curve. A quotient of whole
  // numbers that equals a decimal rate is the same double as the rate, so the comparison needs no tolerance.
  double best = 1;
  for (const CurvePoint& point : curve) {
    if (!(wrong_per_picture(point) <= most)) break;
    best = miss_rate(point);
  }
  return best;
}

double Evaluation::log_average_miss_rate() const {
  if (labels == 0 || pictures == 0) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double rate : kLogAverageRates) sum += std::log(std::max(miss_rate_at(rate), 1e-10));
  return std::exp(sum / static_cast<double>(kLogAverageRates.size()));
}

}  // namespace winnow
