#include "session/search_per_thread.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "base/threads.h"
#include "session/picture_search.h"

namespace winnow {

struct SearchPerThread::Threads {
  explicit Threads(int count) : arena(count, 1) {}
  tbb::task_arena arena;
  std::vector<PictureSearch> searches;  // one per thread
};

SearchPerThread::SearchPerThread(const DetectorModel& model, const char* backend, int threads,
                                 const Pipeline& pipeline)
    : model_(model), backend_(backend), count_(arena_threads(threads)), pipeline_(pipeline) {}
SearchPerThread::~SearchPerThread() = default;

std::size_t pictures_per_thread(std::span<const PictureView> pictures, std::size_t threads) {
  if (threads < 2) return 0;
  // True if at least three quarters of the threads' time is work.
  const auto busy = [&](std::size_t work, std::size_t longest) { return 4 * work >= 3 * threads * longest; };
  const std::size_t rest = pictures.size() % threads;
  const std::size_t count = busy(rest, 1) ? pictures.size() : pictures.size() - rest;
  std::size_t work = 0, longest = 0;
  for (const PictureView& picture : pictures.first(count)) {
    const std::size_t area =
        static_cast<std::size_t>(picture.size().width) * static_cast<std::size_t>(picture.size().height);
    work += area;
    longest = std::max(longest, area);
  }
  return busy(work, longest) ? count : 0;
}

std::size_t SearchPerThread::search(std::span<const PictureView> pictures, const DetectOptions& options,
                                    std::span<Detections> results) {
  const std::size_t count = pictures_per_thread(pictures, static_cast<std::size_t>(count_));
  if (count == 0) return 0;
  if (threads_ == nullptr) {
    auto threads = std::make_unique<Threads>(count_);
    for (int i = 0; i < count_; ++i) {
      std::unique_ptr<Pipeline> clone = pipeline_.clone_for_thread();
      if (clone == nullptr) return 0;
      threads->searches.emplace_back(model_, backend_, std::move(clone));
    }
    threads_ = std::move(threads);
  }
  std::vector<PictureSearch>& searches = threads_->searches;
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1))
      searches[thread].search(pictures.subspan(i, 1), options, results.subspan(i, 1));
  };
  threads_->arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, searches.size(), work, tbb::simple_partitioner()); });
  return count;
}

}  // namespace winnow
