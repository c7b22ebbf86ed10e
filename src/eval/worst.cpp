#include "eval/worst.h"

#include <algorithm>

namespace winnow {

std::vector<WorstError> strongest_wrong(const Evaluation& evaluation, std::size_t most) {
  std::vector<WorstError> worst;
  for (const JudgedDetection& each : evaluation.judged) {
    if (worst.size() == most) break;
    if (each.verdict != Verdict::kWrong) continue;
    const Box& box = each.detection.box;
    worst.push_back({each.picture,
                     {static_cast<double>(box.x), static_cast<double>(box.y), static_cast<double>(box.width),
                      static_cast<double>(box.height)},
                     each.rank});
  }
  return worst;
}

std::vector<WorstError> hardest_objects(const Evaluation& evaluation,
                                        std::span<const LabelledPicture> pictures, std::size_t most) {
  std::vector<std::vector<bool>> found(pictures.size());
  for (std::size_t p = 0; p < pictures.size(); ++p) found[p].resize(pictures[p].labels.size());
  for (const JudgedDetection& each : evaluation.judged) {
    if (each.verdict == Verdict::kRight) found[each.picture][*each.label] = true;
  }
  std::vector<WorstError> worst;
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    for (std::size_t i = 0; i < found[p].size(); ++i) {
      const Label& label = pictures[p].labels[i];
      if (!found[p][i] && !label.ignore) worst.push_back({p, label.box, std::nullopt});
    }
  }
  std::stable_sort(worst.begin(), worst.end(), [](const WorstError& a, const WorstError& b) {
    return a.place.width * a.place.height > b.place.width * b.place.height;
  });
  if (worst.size() > most) worst.resize(most);
  for (auto each = evaluation.judged.rbegin(); each != evaluation.judged.rend() && worst.size() < most;
       ++each) {
    if (each->verdict != Verdict::kRight) continue;
    worst.push_back({each->picture, pictures[each->picture].labels[*each->label].box, each->rank});
  }
  return worst;
}

}  // namespace winnow
