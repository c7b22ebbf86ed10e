// Times two rivals in alternating runs (A B B A A B ...) of one process.
//
// In:     two functions and a number of pairs.
// Out:    the times of all runs in milliseconds, and the ratio of each pair.
// Memory: the caller owns the result.
//
// Clock changes and other programs on the machine slow both rivals. The gain is the median of the ratios of
// pairs, not the ratio of two medians taken at different times.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace bench {

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

template <class Run>
double milliseconds(Run&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// The processor time of the process. Other programs on the machine lengthen the processor time less than the
// elapsed time.
template <class Run>
double processor_milliseconds(Run&& run) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  };
  const double start = now();
  run();
  return now() - start;
}

struct Pairs {
  std::vector<double> theirs_ms, ours_ms, ratios;  // ratio: their time divided by our time
  double theirs_median() const { return median(theirs_ms); }
  double ours_median() const { return median(ours_ms); }
  double theirs_min() const { return *std::min_element(theirs_ms.begin(), theirs_ms.end()); }
  double ours_min() const { return *std::min_element(ours_ms.begin(), ours_ms.end()); }
  double ratio_median() const { return median(ratios); }
  double ratio_min() const { return *std::min_element(ratios.begin(), ratios.end()); }
  double ratio_max() const { return *std::max_element(ratios.begin(), ratios.end()); }

  // The figures, named like the columns of bench/results/*.json.
  std::map<std::string, double> figures_beside_opencv() const {
    return {{"opencv_ms_median", theirs_median()},
            {"opencv_ms_min", theirs_min()},
            {"winnow_ms_median", ours_median()},
            {"winnow_ms_min", ours_min()},
            {"ratio_median", ratio_median()},
            {"ratio_min", ratio_min()},
            {"ratio_max", ratio_max()}};
  }
};

// Runs `repeat` >= 1 pairs. Before the pairs each rival runs once, and these two runs are not counted.
template <class Theirs, class Ours>
Pairs run_pairs(int repeat, Theirs&& theirs, Ours&& ours) {
  Pairs pairs;
  theirs();
  ours();
  for (int i = 0; i < repeat; ++i) {
    double a = 0, b = 0;
    if (i % 2 == 0) {
      a = milliseconds(theirs);
      b = milliseconds(ours);
    } else {
      b = milliseconds(ours);
      a = milliseconds(theirs);
    }
    pairs.theirs_ms.push_back(a);
    pairs.ours_ms.push_back(b);
    pairs.ratios.push_back(a / b);
  }
  return pairs;
}

}  // namespace bench
