// Times calls of one kind, and stops early if a call is slow.
//
// In:     a number of calls, the clock, and the work of a call.
// Out:    the median time of a call in milliseconds. Two more calls come first and are not counted: a device
//         plans in the first and makes a graph in the second.
// Memory: a list of times.
// Thread: one thread at a time, since processor time is that of the process.
#pragma once

#include <winnow/machine.h>

#include <string>
#include <utility>
#include <vector>

#include "pairs.h"

namespace bench {

struct Calls {
  bool processor = true;  // true: times are processor time of the process; false: elapsed time
  int repeat = 31;
  double enough = 2000;  // after this many milliseconds no call begins, once three calls were timed
};

// Chooses processor time for one thread of the host, and elapsed time for all other machines.
inline Calls calls_on(const winnow::MachineOptions& machine, int repeat) {
  return {machine.backend != winnow::BackendKind::kCuda && machine.threads == 1, repeat};
}

inline std::string calls_in_words(const Calls& calls) {
  return "Times are medians of " + std::to_string(calls.repeat) +
         " calls, or of as many as two seconds hold, but three at least" +
         (calls.processor ? ", in processor time of one thread. " : ". ");
}

template <class Work>
double median_milliseconds(const Calls& calls, Work&& work) {
  constexpr int kFewest = 3;
  std::vector<double> times;
  double spent = 0;
  for (int i = 0; i < 2; ++i) work();
  for (int i = 0; i < calls.repeat && (i < kFewest || spent < calls.enough); ++i) {
    times.push_back(calls.processor ? processor_milliseconds(work) : milliseconds(work));
    spent += times.back();
  }
  return median(std::move(times));
}

}  // namespace bench
