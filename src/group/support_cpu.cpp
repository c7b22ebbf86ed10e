// Merges by support with sorted candidates, as group/support.h declares; its opening comment holds here.
//
// If the intersection of two boxes is at least half of their union, their widths differ at most by a factor
// of two. The top edge of the lower box lies in the upper half of the other box. So candidates are sorted by
// width, then by top, and pairs are sought between runs of equal widths.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "group/support.h"

namespace winnow {

void support_cpu(std::span<const Candidate> candidates, double floor, int min_neighbors,
                 SupportScratch& scratch, std::vector<Candidate>& objects) {
  const auto box_of = [&](int i) -> const Box& { return candidates[static_cast<std::size_t>(i)].box; };
  std::vector<int>& sorted = scratch.sorted;
  sorted.resize(candidates.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](int a, int b) {
    return std::tuple(box_of(a).width, box_of(a).y, a) < std::tuple(box_of(b).width, box_of(b).y, b);
  });
  scratch.support.resize(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i)
    scratch.support[i] = std::llrint(support_weight(candidates[i].score, floor) * kSupportUnit);
  // Each run of equal widths is compared with itself and with wider runs.
  for (auto run = sorted.begin(); run != sorted.end();) {
    const int width = box_of(*run).width;
    const auto run_end = std::find_if(run, sorted.end(), [&](int i) { return box_of(i).width != width; });
    for (auto other = run; other != sorted.end() && box_of(*other).width <= std::int64_t{2} * width;) {
      const int other_width = box_of(*other).width;
      const auto other_end =
          std::find_if(other, sorted.end(), [&](int i) { return box_of(i).width != other_width; });
      int highest = 0;
      for (auto each = other; each != other_end; ++each) highest = std::max(highest, box_of(*each).height);
      for (auto mine = run; mine != run_end; ++mine) {
        const Box& box = box_of(*mine);
        const std::int64_t top = std::int64_t{2} * box.y - highest;
        auto near = other == run ? mine + 1 : std::partition_point(other, other_end, [&](int i) {
          return std::int64_t{2} * box_of(i).y < top;
        });
        for (; near != other_end && std::int64_t{2} * (std::int64_t{box_of(*near).y} - box.y) <= box.height;
             ++near) {
          const auto a = static_cast<std::size_t>(*mine), b = static_cast<std::size_t>(*near);
          const Box& next = box_of(*near);
          if (next.x >= std::int64_t{box.x} + box.width || box.x >= std::int64_t{next.x} + next.width)
            continue;
          const double mutual = mutual_support(box, next);
          if (mutual == 0) continue;
          scratch.support[a] += support_units(support_weight(candidates[b].score, floor), mutual);
          scratch.support[b] += support_units(support_weight(candidates[a].score, floor), mutual);
        }
      }
      other = other_end;
    }
    run = run_end;
  }
  keep_supported(candidates, min_neighbors, scratch, objects);
}

}  // namespace winnow
