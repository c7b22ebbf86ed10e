#include "base/threads.h"

#include <tbb/info.h>

#include <algorithm>
#include <string>
#include <thread>

#include <winnow/error.h>

namespace winnow {

void check_threads(int wanted) {
  constexpr int kMost = 1024;
  if (wanted < 0) throw Error(ErrorCode::kUsage, "the number of threads must not be negative");
  if (wanted > kMost)
    throw Error(ErrorCode::kUsage, "the number of threads must be at most " + std::to_string(kMost));
}

int threads_for(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int arena_threads(int wanted) { return std::min(wanted, tbb::info::default_concurrency()); }

}  // namespace winnow
