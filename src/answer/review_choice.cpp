#include "answer/review_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/count_text.h"

namespace winnow {
namespace {

constexpr std::int64_t kMostEvents = 4000, kMostLarge = 1000;  // pictures of an input
constexpr int kSecond = 25;                                    // frames, if they have no time
constexpr double kLargeShare = 0.2, kLargeGrowth = 2;

std::int64_t area_of(const Box& box) { return std::int64_t{box.width} * box.height; }

bool holds(std::span<const FaceCover> covers, int path) {
  return std::any_of(covers.begin(), covers.end(), [&](const FaceCover& each) { return each.path == path; });
}

// A cover may come more than once in a frame, but is told once.
void add_words(FrameSigns& signs, std::string words) {
  if (std::find(signs.words.begin(), signs.words.end(), words) == signs.words.end())
    signs.words.push_back(std::move(words));
}

}  // namespace

double share_of(const Box& box, Size frame) {
  return static_cast<double>(area_of(box)) / (static_cast<double>(frame.width) * frame.height);
}

std::string cover_words(const FaceCover& cover) {
  const std::string searches = cover.searches == 1 ? "1 search" : fmt::format("{} searches", cover.searches);
  return fmt::format("cover {}: {}, {}", cover.path, reason_name(cover.reason), searches);
}

bool ReviewChoice::second_begins(std::optional<double> time) {
  if (!time) return frames_ % kSecond == 0;
  const double second = std::floor(*time);
  return std::exchange(shown_second_, second) != second;
}

FrameSigns ReviewChoice::look(std::optional<double> time, Size frame, std::span<const FaceCover> covers) {
  FrameSigns signs;
  signs.second = second_begins(time) || frames_ == 0;
  std::map<int, std::int64_t> now;
  for (const FaceCover& cover : covers) {
    const auto before = last_.find(cover.path);
    std::int64_t& found =
        now.try_emplace(cover.path, before == last_.end() ? 0 : before->second).first->second;
    if (before == last_.end()) {
      signs.event = true;
      add_words(signs, fmt::format("cover {} begins", cover.path));
    }
    const std::int64_t area = area_of(cover.box);
    const bool grew = found > 0 && static_cast<double>(area) > kLargeGrowth * static_cast<double>(found);
    if (grew || share_of(cover.box, frame) > kLargeShare) {
      signs.large = true;
      add_words(signs, fmt::format("cover {} is large: {:.1f} % of the frame", cover.path,
                                   100 * share_of(cover.box, frame)));
    }
    if (cover.reason == CoverReason::kFound) found = area;
  }
  for (const auto& [path, area] : last_) {
    if (now.contains(path)) continue;
    signs.event = true;
    add_words(signs, fmt::format("cover {} has ended", path));
  }
  last_ = std::move(now);
  ++frames_;
  return signs;
}

void ReviewChoice::look_ahead(FrameSigns& signs, std::span<const FaceCover> covers,
                              std::span<const FaceCover> next, bool last) {
  for (const FaceCover& cover : covers) {
    if (holds(next, cover.path)) continue;
    signs.event = true;
    add_words(signs, fmt::format("cover {} ends", cover.path));
  }
  for (const FaceCover& cover : next) {
    if (holds(covers, cover.path)) continue;
    signs.event = true;
    add_words(signs, fmt::format("cover {} is about to begin", cover.path));
  }
  if (!last) return;
  signs.second = true;
  signs.words.emplace_back("last frame");
}

bool ReviewChoice::is_shown(const FrameSigns& signs) {
  if (signs.second) return true;
  if (signs.event && events_ < kMostEvents) {
    ++events_;
    return true;
  }
  if (signs.large && large_ < kMostLarge) {
    ++large_;
    return true;
  }
  left_out_ += signs.event || signs.large ? 1 : 0;
  return false;
}

}  // namespace winnow
