#include "detecting/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>

#include "terminal/text.h"

namespace winnow::cli {

std::string left_out_text(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  std::map<std::string, std::size_t> counts;
  for (const std::string& path : paths) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    ++counts[ending.size() > 1 ? ending : "without an ending"];
  }
  std::vector<std::pair<std::string, std::size_t>> kinds(counts.begin(), counts.end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t kMostNamed = 5;
  std::string text = counted(static_cast<long long>(paths.size()), "file") + " left out: ";
  std::size_t named = 0;
  for (std::size_t i = 0; i < std::min(kinds.size(), kMostNamed); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", kinds[i].second, kinds[i].first);
    named += kinds[i].second;
  }
  if (named < paths.size()) text += fmt::format(", {} others", paths.size() - named);
  return text;
}

}  // namespace winnow::cli
