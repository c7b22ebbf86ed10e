// Runs the same work several times at once, a thread each: once a device, or once a thread of a pool.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace winnow {

// Calls `work(i)` for each i below `count`: the first here, each other in a thread of its own. Waits for all;
// what the first of them threw is thrown again.
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
