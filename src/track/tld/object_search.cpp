#include "track/tld/object_search.h"

#include <algorithm>
#include <cstddef>

#include "base/real_box.h"
#include "base/share_work.h"
#include "track/tld/climb.h"
#include "track/tld/sift/sift_windows.h"
#include "track/tld/sift/spread_rule.h"

namespace winnow {
namespace {

// A candidate whose window is less alike than this is not moved: a box beside it is seldom the object.
constexpr double kLeastNearBy = 0.45;
constexpr double kFinestStep = 0.5;

}  // namespace

bool is_varied(const ObjectFrame& frame, const Box& window, const LearntObject& object) {
  return static_cast<double>(frame.spread(window)) >=
         least_spread(object.least_variance, window.width, window.height);
}

void search_object(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                   std::size_t near_by, ObjectFinds& finds) {
  sift_windows_ref(frame, grid, object, 1, finds.sifted);
  finds.likely = finds.sifted;
  judge_likely(frame, grid, object, near_by, 1, finds);
}

void judge_likely(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                  std::size_t near_by, int threads, ObjectFinds& finds) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < finds.likely.size(); ++i)
    if (finds.likely[i].sum > object.least_sum) order.push_back(i);
  finds.above = static_cast<std::int64_t>(order.size());
  const auto most = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), kMostCandidates));
  std::partial_sort(order.begin(), most, order.end(), [&](std::size_t a, std::size_t b) {
    const std::int32_t first = finds.likely[a].sum, second = finds.likely[b].sum;
    return first != second ? first > second : a < b;
  });
  order.erase(most, order.end());
  std::vector<std::size_t> moved(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), near_by)));
  std::sort(moved.begin(), moved.end());
  std::sort(order.begin(), order.end());
  finds.candidates.assign(order.size(), {});
  const GrayView level = frame.level();
  // A climb takes some hundred times as long as a comparison.
  share_work(moved.empty() ? 1 : threads, order.size(), 1, [&](std::size_t, std::size_t k) {
    const std::size_t i = order[k];
    ObjectCandidate& next = finds.candidates[k];
    next.window = finds.likely[i].window;
    next.box = next.place = real_box(grid_box(grid.windows, next.window));
    next.patch = patch_at(level, next.box);
    next.like = object.templates.compare(next.patch);
    if (next.like.relative > kLeastNearBy && std::binary_search(moved.begin(), moved.end(), i)) {
      next.place = climb(next.box, kFinestStep, [&](const RealBox& box) {
                     return object.templates.like_object(patch_at(level, box));
                   }).box;
      next.like = object.templates.compare(patch_at(level, next.place));
    }
    next.found = next.like.relative > object.least_relative;
  });
}

}  // namespace winnow
