// Finds medians for `motion_of` on the host.
//
// In:     the number of points, and a value of each point that has one.
// Out:    the lower median of the values.
// Exact:  the median is one of the values, so every way to find it gives the same.
// Memory: the caller owns the list, which grows to the most points.
// Thread: any, with a list each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "track/follow/motion_rule.h"

namespace winnow {

class HostMedian {
 public:
  HostMedian(int points, std::vector<double>& values) : points_(points), values_(values) {}

  template <class ValueOf>
  Median operator()(const ValueOf& value_of) {
    values_.clear();
    for (int i = 0; i < points_; ++i)
      if (double value = 0; value_of(i, value)) values_.push_back(value);
    if (values_.empty()) return {};
    const int count = static_cast<int>(values_.size());
    const auto middle = values_.begin() + median_place(count);
    std::nth_element(values_.begin(), middle, values_.end());
    return {*middle, count};
  }

 private:
  int points_;
  std::vector<double>& values_;
};

}  // namespace winnow
