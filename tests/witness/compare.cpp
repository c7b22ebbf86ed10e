#include "compare.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace witness {
namespace {

using winnow::Detection;
constexpr std::size_t kShown = 3;

// A total order by the chosen fields. Doubles are ordered by their bits, so -0.0 differs from 0.0, and a NaN
// equals itself.
struct Less {
  int fields;
  bool operator()(const Detection& a, const Detection& b) const {
    if (const auto order = a.box <=> b.box; order != 0) return order < 0;
    if (fields & kScores)
      if (const auto x = std::bit_cast<std::int64_t>(a.score), y = std::bit_cast<std::int64_t>(b.score);
          x != y)
        return x < y;
    return (fields & kNeighbors) && a.neighbors < b.neighbors;
  }
};

std::string list(const char* name, const std::vector<Detection>& only, std::size_t all, int fields) {
  std::string text = std::to_string(only.size()) + " of " + std::to_string(all) + " only in " + name;
  for (std::size_t i = 0; i < std::min(kShown, only.size()); ++i) {
    const Detection& d = only[i];
    char entry[160];
    std::snprintf(entry, sizeof entry, " [%d %d %d %d", d.box.x, d.box.y, d.box.width, d.box.height);
    text += entry;
    if (fields & kScores) std::snprintf(entry, sizeof entry, " score %.17g", d.score), text += entry;
    if (fields & kNeighbors) text += " neighbours " + std::to_string(d.neighbors);
    text += "]";
  }
  return text + (only.size() > kShown ? " ..." : "");
}

}  // namespace

std::string difference(const std::string& what, std::vector<Detection> theirs, std::vector<Detection> ours,
                       int fields, const char* their_name, const char* our_name) {
  const Less less{fields};
  std::sort(theirs.begin(), theirs.end(), less);
  std::sort(ours.begin(), ours.end(), less);
  std::vector<Detection> only_theirs, only_ours;
  std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(), std::back_inserter(only_theirs),
                      less);
  std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(only_ours),
                      less);
  if (only_theirs.empty() && only_ours.empty()) return {};
  return what + ": " + list(their_name, only_theirs, theirs.size(), fields) + "; " +
         list(our_name, only_ours, ours.size(), fields);
}

}  // namespace witness
