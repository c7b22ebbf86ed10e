// Many small pieces of work for a number of threads, taken as threads fall idle.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/fan_out.h"
#include "base/threads.h"

namespace winnow {

// Calls `work(thread, i)` once for each i below `count`, in no order, from at most `threads` threads.
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
