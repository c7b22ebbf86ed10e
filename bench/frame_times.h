// Sums up the times of a video's frames: mean, median, 95 % and greatest.
//
// In:     the work of each call, one after the other.
// Out:    milliseconds. The time of 95 % is the least time that 95 % of the calls do not exceed.
// Memory: a list of times.
// Thread: one thread at a time, since processor time is that of the process.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "pairs.h"
#include "results_file.h"

namespace bench {

class FrameTimes {
 public:
  // `processor`: true for processor time of the process, false for elapsed time.
  explicit FrameTimes(bool processor = false) : processor_(processor) {}

  template <class Work>
  void time(Work&& work) {
    add(processor_ ? processor_milliseconds(work) : milliseconds(work));
  }
  void add(double ms) { times_.push_back(ms); }

  const std::vector<double>& all() const { return times_; }
  double total() const { return std::accumulate(times_.begin(), times_.end(), 0.0); }
  double mean() const { return times_.empty() ? 0 : total() / static_cast<double>(times_.size()); }
  double middle() const { return median(times_); }
  double greatest() const { return times_.empty() ? 0 : *std::max_element(times_.begin(), times_.end()); }
  double within(double share) const {
    if (times_.empty()) return 0;
    std::vector<double> sorted = times_;
    std::sort(sorted.begin(), sorted.end());
    const double rank = std::ceil(share * static_cast<double>(sorted.size()) - 1e-9);
    return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
  }

  // The figures of a row, in the order of `time_values`.
  std::vector<double> figures() const { return {mean(), middle(), within(0.95), greatest()}; }

 private:
  bool processor_;
  std::vector<double> times_;
};

// The columns of a table for `FrameTimes::figures`. `of`: what the times belong to, such as "a frame".
inline std::vector<ShownValue> time_values(const std::string& of, int digits) {
  return {{"mean", "mean ms " + of, digits},
          {"median", "median ms", digits},
          {"95", "95 % ms", digits},
          {"greatest", "greatest ms", digits}};
}

}  // namespace bench
