// Makes objects of the groups that a backend found, as group/group.h declares (`merge_labels`); its opening
// comment holds here.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {
namespace {

constexpr std::size_t kAllPairs = 64;         // up to this many groups, all pairs are compared
constexpr std::int64_t kMostCells = 1 << 28;  // places and sides below this number fit a key

// Decides whether another group swallows a group. Compares the group only with groups whose boxes may hold
// its box. Groups are put in classes by their larger side (powers of two), and in cells by their corner. A
// cell is as large as the largest side of its class. In each class, the corner of a box that holds a given
// box lies in one of a few cells.
class Holders {
 public:
  Holders(const std::vector<Candidate>& groups, double eps, GroupScratch& scratch)
      : groups_(groups),
        eps_(eps),
        keys_(scratch.keys),
        order_(scratch.order),
        comparisons_(scratch.comparisons) {
    std::int64_t right = std::numeric_limits<std::int64_t>::min(), bottom = right;
    left_ = top_ = std::numeric_limits<std::int64_t>::max();
    double largest = 0;
    for (const Candidate& g : groups) {
      left_ = std::min<std::int64_t>(left_, g.box.x);
      top_ = std::min<std::int64_t>(top_, g.box.y);
      right = std::max<std::int64_t>(right, g.box.x);
      bottom = std::max<std::int64_t>(bottom, g.box.y);
      largest = std::max<double>(largest, std::max(g.box.width, g.box.height));
    }
    usable_ = groups.size() > kAllPairs && right - left_ < kMostCells && bottom - top_ < kMostCells &&
              largest * (1 + eps) < static_cast<double>(kMostCells);
    if (!usable_) return;
    keys_.resize(groups.size());
    order_.resize(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Box& box = groups[i].box;
      const int size = size_class(box);
      classes_ |= std::uint64_t{1} << size;
      keys_[i] = key(size, (box.y - top_) >> size, (box.x - left_) >> size);
      order_[i] = static_cast<int>(i);
    }
    std::sort(order_.begin(), order_.end(),
              [this](int a, int b) { return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b; });
  }

  bool hold(std::size_t small) const {
    if (!usable_) {
      for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (swallows(i, small)) return true;
      }
      return false;
    }
    for (std::uint64_t classes = classes_; classes != 0; classes &= classes - 1) {
      if (held_in(std::countr_zero(classes), small)) return true;
    }
    return false;
  }

 private:
  static int size_class(const Box& box) {
    return std::bit_width(static_cast<std::uint32_t>(std::max({box.width, box.height, 1}) - 1));
  }
  static std::uint64_t key(int size, std::int64_t row, std::int64_t column) {
    return static_cast<std::uint64_t>(size) << 58 | static_cast<std::uint64_t>(row) << 29 |
           static_cast<std::uint64_t>(column);
  }

  bool swallows(std::size_t large, std::size_t small) const {
    ++comparisons_;
    const Candidate &a = groups_[small], &b = groups_[large];
    return large != small && swallowed(a.box, a.count, b.box, b.count, eps_);
  }

  bool held_in(int size, std::size_t small) const {
    const Box& box = groups_[small].box;
    const std::int64_t side = std::int64_t{1} << size,
                       slack = static_cast<std::int64_t>(std::ceil(static_cast<double>(side) * eps_)) + 1;
    const auto first = [&](std::int64_t at, int length, std::int64_t origin) {
      return std::max<std::int64_t>(0, at + length - side - slack - origin) >> size;
    };
    const auto last = [&](std::int64_t at, std::int64_t origin) {
      return std::min<std::int64_t>(kMostCells, at + slack - origin) >> size;
    };
    if (box.y + slack < top_ || box.x + slack < left_) return false;
    const std::int64_t first_column = first(box.x, box.width, left_), last_column = last(box.x, left_);
    for (std::int64_t row = first(box.y, box.height, top_); row <= last(box.y, top_); ++row) {
      auto at = std::lower_bound(order_.begin(), order_.end(), key(size, row, first_column),
                                 [this](int i, std::uint64_t k) { return keys_[i] < k; });
      for (; at != order_.end() && keys_[*at] <= key(size, row, last_column); ++at) {
        if (swallows(static_cast<std::size_t>(*at), small)) return true;
      }
    }
    return false;
  }

  const std::vector<Candidate>& groups_;
  double eps_;
  std::vector<std::uint64_t>& keys_;
  std::vector<int>& order_;
  std::int64_t& comparisons_;
  std::int64_t left_ = 0, top_ = 0;
  std::uint64_t classes_ = 0;
  bool usable_ = false;
};

}  // namespace

void merge_labels(std::span<const Candidate> candidates, int groups, int min_neighbors, double eps,
                  GroupScratch& scratch, std::vector<Candidate>& objects) {
  // Sums need 64 bits: about 135,000 boxes at x = 16,000 sum to more than 2^31 - 1.
  auto& sums = scratch.sums;
  auto& merged = scratch.groups;
  sums.assign(static_cast<std::size_t>(groups) * 4, 0);
  merged.assign(static_cast<std::size_t>(groups), Candidate{{}, 0, 0});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const int g = scratch.label[i];
    const Box& box = candidates[i].box;
    std::int64_t* sum = &sums[static_cast<std::size_t>(g) * 4];
    sum[0] += box.x;
    sum[1] += box.y;
    sum[2] += box.width;
    sum[3] += box.height;
    Candidate& group = merged[static_cast<std::size_t>(g)];
    group.score = group.count == 0 ? candidates[i].score : std::max(group.score, candidates[i].score);
    ++group.count;
  }
  std::size_t kept = 0;  // the number of groups that are large enough; these move to the front
  for (int g = 0; g < groups; ++g) {
    Candidate& group = merged[static_cast<std::size_t>(g)];
    if (group.count <= min_neighbors) continue;
    const std::int64_t* sum = &sums[static_cast<std::size_t>(g) * 4];
    const auto mean = [&](int side) { return group_mean(sum[side], group.count, scratch.mean); };
    group.box = {mean(0), mean(1), mean(2), mean(3)};
    merged[kept++] = group;
  }
  merged.resize(kept);
  objects.clear();
  const Holders holders(merged, eps, scratch);
  for (std::size_t i = 0; i < kept; ++i) {
    if (!holders.hold(i)) objects.push_back(merged[i]);
  }
}

}  // namespace winnow
