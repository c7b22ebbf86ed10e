// Compares the boxes of two searches by a histogram of intersection over union (IoU).
//
// In:     the boxes of both searches, picture by picture.
// Out:    for each wanted box the largest IoU with a found box, as a percentage for each bin and a mean.
// Exact:  areas are integers; one division for each pair.
// Memory: plain data of the caller.
// Thread: one thread at a time per `OverlapHistogram`.
#pragma once

#include <winnow/box.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

inline double box_iou(const winnow::Box& a, const winnow::Box& b) {
  const std::int64_t width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const std::int64_t height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const std::int64_t common = width * height;
  const std::int64_t all = std::int64_t{a.width} * a.height + std::int64_t{b.width} * b.height - common;
  return static_cast<double>(common) / static_cast<double>(all);
}

class OverlapHistogram {
 public:
  // The lower edges of the bins. The last bin ends at 1 and includes 1.
  static constexpr std::array<double, 6> kEdges = {0, 0.5, 0.6, 0.7, 0.8, 0.9};

  void add(std::span<const winnow::Box> wanted, std::span<const winnow::Box> found) {
    for (const winnow::Box& box : wanted) {
      double best = 0;
      for (const winnow::Box& other : found) best = std::max(best, box_iou(box, other));
      ++boxes_;
      sum_ += best;
      if (best == 0) ++alone_;
      const auto above = std::upper_bound(kEdges.begin(), kEdges.end(), best);
      ++bins_[static_cast<std::size_t>(above - kEdges.begin()) - 1];
    }
  }

  std::int64_t boxes() const { return boxes_; }
  std::int64_t alone() const { return alone_; }  // wanted boxes that no found box touches; their IoU is 0
  double mean() const { return sum_ / static_cast<double>(boxes_); }  // NaN without boxes
  double percent(std::size_t bin) const {
    return 100 * static_cast<double>(bins_[bin]) / static_cast<double>(boxes_);
  }

 private:
  std::int64_t boxes_ = 0, alone_ = 0;
  double sum_ = 0;
  std::array<std::int64_t, kEdges.size()> bins_{};
};

}  // namespace bench
