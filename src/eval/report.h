// What the three files of an evaluation share: names and sentences for the rule and the search, and the
// curves as plain numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <winnow/eval.h>

namespace winnow {

const char* match_name(MatchKind match);
const char* rank_name(RankBy rank);
// What a rank is, in words.
std::string rank_sentence(RankBy rank);
// What makes a detection right, in words.
std::string match_sentence(const EvalRule& rule);
// "scale", "1.1" and so on.
std::vector<std::pair<std::string, std::string>> search_words(const DetectOptions& options);

struct RatePoint {
  double rank = 0;
  std::int64_t found = 0, wrong = 0;
  double x = 0, y = 0;
};
// Recall over false positives, precision over recall, miss rate over false positives per picture or window.
std::vector<RatePoint> roc_points(const Evaluation& evaluation);
std::vector<RatePoint> precision_points(const Evaluation& evaluation);
std::vector<RatePoint> miss_points(const Evaluation& evaluation);
std::vector<RatePoint> det_points(const WindowEvaluation& evaluation);

}  // namespace winnow
