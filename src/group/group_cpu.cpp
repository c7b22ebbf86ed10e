// Groups candidates by sorted bands, as group/group.h declares; its opening comment holds here.
#include <algorithm>
#include <cmath>

#include "base/radix_sort.h"
#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {
namespace {

// Sorts boxes by band and x, and joins similar boxes into sets.
class Neighbours {
 public:
  Neighbours(std::span<const Candidate> candidates, double eps, GroupScratch& scratch)
      : n_(static_cast<int>(candidates.size())),
        eps_(eps),
        sorted_(scratch.sorted),
        parent_(scratch.parent),
        run_end_(scratch.run_end),
        comparisons_(scratch.comparisons) {
    int top = n_ > 0 ? candidates[0].box.y : 0;
    double margin = 0;  // the largest `similar_margin` of all boxes
    for (const Candidate& candidate : candidates) {
      margin = std::max(margin, similar_margin(candidate.box, candidate.box, eps));
      top = std::min(top, candidate.box.y);
    }
    const auto band_height = static_cast<std::int64_t>(std::floor(margin)) + 1;
    sorted_.resize(candidates.size());
    parent_.resize(candidates.size());
    run_end_.resize(candidates.size());
    for (int i = 0; i < n_; ++i) {
      const Box& box = candidates[static_cast<std::size_t>(i)].box;
      sorted_[i] = {(static_cast<std::int64_t>(box.y) - top) / band_height, i, box};
      parent_[i] = i;
    }
    radix_sort(sorted_, scratch.spare, [](const BandBox& a) {
      return static_cast<std::uint64_t>(a.band) << 32 | (static_cast<std::uint32_t>(a.box.x) ^ 1u << 31);
    });
  }

  // Joins each box with similar boxes to its right in its band, and with similar boxes near it in the band
  // below. Goes from the last box to the first, so that the runs (`run_end_`) to the right of a box are
  // known.
  void join_all() {
    int band_end = n_, below_end = n_;  // the ends of the band of box i and of the band below
    for (int i = n_ - 1; i >= 0; --i) {
      const BandBox& a = sorted_[i];
      if (i + 1 < n_ && sorted_[i + 1].band != a.band) {
        below_end = sorted_[i + 1].band == a.band + 1 ? band_end : i + 1;
        band_end = i + 1;
      }
      const double margin = similar_margin(a.box, a.box, eps_);
      join_from(i, i + 1, band_end, margin);
      const auto below =
          std::lower_bound(sorted_.begin() + band_end, sorted_.begin() + below_end, a.box.x - margin,
                           [](const BandBox& b, double x) { return b.box.x < x; });
      join_from(i, static_cast<int>(below - sorted_.begin()), below_end, margin);
      run_end_[i] = i + 1;
      for (; run_end_[i] < band_end && root(run_end_[i]) == root(i); ++comparisons_)
        run_end_[i] = run_end_[run_end_[i]];
    }
  }

  int root(int i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  const BandBox& operator[](int i) const { return sorted_[i]; }

 private:
  // Joins box i with similar boxes from `first` to `end` - 1. Stops at the first box that begins more than
  // `margin` to the right of box i. A run of boxes in one set needs only one comparison.
  void join_from(int i, int first, int end, double margin) {
    const Box& box = sorted_[i].box;
    int own = root(i);
    for (int j = first; j < end && sorted_[j].box.x - box.x <= margin; ++comparisons_) {
      const int other = root(j);
      if (other != own && !similar(box, sorted_[j].box, eps_)) {
        ++j;
        continue;
      }
      parent_[std::max(own, other)] = std::min(own, other);
      own = std::min(own, other);
      j = run_end_[j];
    }
  }

  const int n_;
  const double eps_;
  std::vector<BandBox>& sorted_;
  std::vector<int>& parent_;   // by index in `sorted_`
  std::vector<int>& run_end_;  // boxes from i to run_end_[i] - 1 are known to be in one set
  std::int64_t& comparisons_;
};

}  // namespace

// Similar boxes have left and top edges no further apart than `margin`, the largest margin of all boxes. So
// boxes are put in bands that are higher than `margin`, and sorted by x within a band. Each box is compared
// only with the boxes to its right in its band, and with near boxes in the band below. Detections come in
// clusters, where nearly all pairs are similar. So consecutive boxes that are known to be in one set are
// skipped at once.
void group_cpu(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects) {
  if (min_neighbors <= 0) {
    objects.assign(candidates.begin(), candidates.end());
    return;
  }
  scratch.comparisons = 0;
  Neighbours boxes(candidates, eps, scratch);
  boxes.join_all();
  // Groups are numbered in the order of their first members.
  const int n = static_cast<int>(candidates.size());
  auto& group_of = scratch.order;  // the group of each root, by the root's index
  auto& label = scratch.label;
  group_of.assign(candidates.size(), -1);
  label.resize(candidates.size());
  for (int i = 0; i < n; ++i) label[static_cast<std::size_t>(boxes[i].candidate)] = boxes.root(i);
  int groups = 0;
  for (int& l : label) {
    int& group = group_of[static_cast<std::size_t>(l)];
    if (group < 0) group = groups++;
    l = group;
  }
  merge_labels(candidates, groups, min_neighbors, eps, scratch, objects);
}

}  // namespace winnow
