// Gives the few calls of oneTBB that Winnow makes, on std::thread. Only the preset `tsan` uses it.
//
// In:     a range of indexes and the work for one index.
// Out:    the work is done for each index. The first exception in the order of indexes is thrown again.
// Memory: one thread for each index, joined before the call returns.
// Thread: any.
//
// Debian's oneTBB is not built with ThreadSanitizer. ThreadSanitizer therefore cannot see that oneTBB's
// workers begin after their caller and end before the caller continues. It would report all shared data, or,
// with suppressions, report nothing. Here it sees every thread begin and end, so each report is about Winnow.
// Each index has its own thread, so the work is spread over as many threads as possible.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tbb {

struct simple_partitioner {};

template <class Index, class Work>
void parallel_for(Index first, Index last, const Work& work, simple_partitioner = {}) {
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(last - first));
  std::vector<std::thread> threads;
  for (Index i = first; i < last; ++i)
    threads.emplace_back([&work, i, &place = thrown[static_cast<std::size_t>(i - first)]] {
      try {
        work(i);
      } catch (...) {
        place = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

class task_arena {
 public:
  explicit task_arena(int /*threads*/, unsigned /*for_callers*/ = 1) {}
  template <class Work>
  void execute(const Work& work) {
    work();
  }
};

namespace info {
inline int default_concurrency() { return static_cast<int>(std::thread::hardware_concurrency()); }
}  // namespace info

}  // namespace tbb
