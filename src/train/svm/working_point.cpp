#include "train/svm/working_point.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "session/raw_search.h"

namespace winnow {
namespace {

constexpr double kScaleFactor = 1.2;  // scale factor of the search for false alarms
constexpr std::size_t kMostScores = std::size_t{8} << 20;
// Scores of windows below this score are not collected. By default, the hard negatives of all rounds score
// more.
constexpr double kLeastScore = -3;

}  // namespace

HogSvm set_working_point(const HogSvm& svm, const Pack& pack, bool color, double false_alarms,
                         const MachineOptions& machine, const std::function<bool()>& go_on) {
  Detector detector(svm, machine);
  DetectOptions options = raw_search();
  options.scale_factor = kScaleFactor;
  options.min_score = kLeastScore;
  options.gray = !color;
  std::vector<double> scores;
  double windows = 0;
  // Keeps the `most` highest scores.
  const auto prune = [&](std::size_t most) {
    if (scores.size() <= most) return;
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(most), scores.end(),
                     std::greater<>());
    scores.resize(most);
  };
  Detections found;
  for (const Pack::Negative& negative : pack.negatives) {
    if (!go_on()) return svm;
    Picture picture;
    try {
      picture = decode_picture(negative.file, {color});
    } catch (const Error&) {
      continue;  // a broken picture, which training did not need
    }
    detector.detect(picture.view(), options, found);
    windows += static_cast<double>(found.counters.windows);
    for (const Detection& each : found.objects) scores.push_back(each.score);
    if (scores.size() > kMostScores) prune(kMostScores / 2);
  }
  if (windows == 0) return svm;
  const auto allowed = static_cast<std::size_t>(false_alarms * windows);
  prune(allowed + 1);
  if (scores.size() <= allowed) return svm;  // so few windows reach kLeastScore that no change is needed
  const double first_refused = *std::min_element(scores.begin(), scores.end());
  HogSvmModel model = svm.model();
  // With the new bias, the best window that must not pass scores 1e-4 below 0. So its score is below 0 in
  // float, too.
  model.bias = static_cast<double>(static_cast<float>(model.bias - first_refused - 1e-4));
  return HogSvm(std::move(model));
}

}  // namespace winnow
