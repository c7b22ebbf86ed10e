#include "base/threads.h"

#include <tbb/info.h>

#include <algorithm>
#include <thread>

namespace winnow {

int threads_for(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int arena_threads(int wanted) { return std::min(wanted, tbb::info::default_concurrency()); }

}  // namespace winnow
