// Tells what folders hold beside pictures and videos, as winnow/feed.h declares; its opening comment holds
// here.
#include <winnow/feed.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "base/count_text.h"
#include "image/picture_format.h"

namespace winnow {

std::string left_out_text(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return {};
  std::map<std::string, std::size_t> counts;
  for (const std::string& path : left_out) {
    const std::string ending = ending_of(path);
    ++counts[ending.size() > 1 ? ending : "without an ending"];
  }
  std::vector<std::pair<std::string, std::size_t>> kinds(counts.begin(), counts.end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t kMostNamed = 5;
  std::string text = count_text(static_cast<std::int64_t>(left_out.size()), "file") + " left out: ";
  std::size_t named = 0;
  for (std::size_t i = 0; i < std::min(kinds.size(), kMostNamed); ++i) {
    text.append(i == 0 ? "" : ", ")
        .append(std::to_string(kinds[i].second))
        .append(" ")
        .append(kinds[i].first);
    named += kinds[i].second;
  }
  if (named < left_out.size())
    text.append(", ").append(std::to_string(left_out.size() - named)).append(" others");
  return text;
}

}  // namespace winnow
