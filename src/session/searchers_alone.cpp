#include "session/searchers_alone.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "base/threads.h"
#include "session/searcher.h"

namespace winnow {

struct SearchersAlone::Threads {
  explicit Threads(int count) : arena(count, 1) {}
  tbb::task_arena arena;
  std::vector<Searcher> searchers;  // one a thread
};

SearchersAlone::SearchersAlone(const Cascade& cascade, const char* backend, int threads, const Finder& finder)
    : cascade_(cascade), backend_(backend), count_(arena_threads(threads)), finder_(finder) {}
SearchersAlone::~SearchersAlone() = default;

std::size_t pictures_alone(std::span<const GrayView> pictures, std::size_t threads) {
  if (threads < 2) return 0;
  // At least three quarters of the threads' time is work.
  const auto busy = [&](std::size_t work, std::size_t longest) { return 4 * work >= 3 * threads * longest; };
  const std::size_t rest = pictures.size() % threads;
  const std::size_t count = busy(rest, 1) ? pictures.size() : pictures.size() - rest;
  std::size_t work = 0, longest = 0;
  for (const GrayView& picture : pictures.first(count)) {
    const std::size_t area =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    work += area;
    longest = std::max(longest, area);
  }
  return busy(work, longest) ? count : 0;
}

std::size_t SearchersAlone::find(std::span<const GrayView> pictures, const DetectOptions& options,
                                 std::span<Detections> results) {
  const std::size_t count = pictures_alone(pictures, static_cast<std::size_t>(count_));
  if (count == 0) return 0;
  if (threads_ == nullptr) {
    auto threads = std::make_unique<Threads>(count_);
    for (int i = 0; i < count_; ++i) {
      std::unique_ptr<Finder> alone = finder_.alone();
      if (alone == nullptr) return 0;
      threads->searchers.emplace_back(cascade_, backend_, std::move(alone));
    }
    threads_ = std::move(threads);
  }
  std::vector<Searcher>& searchers = threads_->searchers;
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
      searchers[thread].find(pictures.subspan(i, 1), options, results.subspan(i, 1));
  };
  threads_->arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, searchers.size(), work, tbb::simple_partitioner()); });
  return count;
}

}  // namespace winnow
