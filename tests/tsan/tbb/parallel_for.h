// The few calls of oneTBB that Winnow makes, on std::thread, for the `tsan` preset alone. Debian's oneTBB is
// not built with ThreadSanitizer, which so cannot see that its workers begin after their caller and end
// before it goes on: it would report all that they share, or with suppressions nothing. Here it sees every
// thread begin and end, and what it then reports is ours. Each index has a thread of its own: the widest
// sharing there can be.
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
