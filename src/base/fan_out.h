// Runs one function several times at once, each call in a thread of its own. Callers use this to run one call
// for each device, or for each thread of a pool.
//
// In:     the number of calls, and the function.
// Out:    nothing. If calls throw, the exception of the lowest-numbered call is thrown once all have ended.
// Memory: all calls share one copy of the function, which ends with `fan_out`.
// Thread: call 0 runs on the calling thread. `fan_out` waits for all calls.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace winnow {

// Calls `work(i)` for each i from 0 to `count` - 1.
template <class Work>
void fan_out(std::size_t count, Work work) {
  std::vector<std::exception_ptr> failures(count);
  const auto run = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(run, i);
    if (count > 0) run(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure != nullptr) std::rethrow_exception(failure);
  }
}

}  // namespace winnow
