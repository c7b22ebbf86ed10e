// Divides many small pieces of work among threads, so that an idle thread takes the next pieces.
//
// In:     the number of threads, the number of pieces, how many pieces a thread takes at once, and the
//         function. `threads` and `at_once` must be 1 or more; this is not checked.
// Out:    nothing. If a call throws, its thread takes no more pieces, and the other threads continue. At the
//         end the exception of the lowest-numbered thread that failed is thrown.
// Memory: the pieces belong to the caller.
// Thread: the calling thread works, too, and waits for the others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/fan_out.h"
#include "base/threads.h"

namespace winnow {

// Calls `work(thread, i)` at most once for each i from 0 to `count` - 1, in no defined order; exactly once if
// nothing throws. `thread` is from 0 to `threads` - 1, and no two calls run with the same `thread` at once.
template <class Work>
void share_work(int threads, std::size_t count, std::size_t at_once, Work work) {
  std::atomic<std::size_t> next{0};
  fan_out(
      std::max<std::size_t>(1, std::min(static_cast<std::size_t>(threads), (count + at_once - 1) / at_once)),
      [&](std::size_t thread) {
        for (std::size_t first = next.fetch_add(at_once); first < count; first = next.fetch_add(at_once)) {
          for (std::size_t i = first; i < count && i < first + at_once; ++i) work(thread, i);
        }
      });
}

}  // namespace winnow
