// Keeps threads that share a range in equal parts, call after call, as a team of OpenMP does.
//
// In:     the number of threads, and work that does not throw.
// Out:    nothing; the work writes where it likes.
// Memory: threads live as long as their team.
// Thread: one thread at a time. That thread works, too, and waits for the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace bench {

class Team {
 public:
  explicit Team(int threads) : parts_(static_cast<std::size_t>(threads)) {
    for (std::size_t part = 1; part < parts_; ++part) threads_.emplace_back([this, part] { serve(part); });
  }
  ~Team() {
    if (threads_.empty()) return;
    work_ = nullptr;
    call();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t parts() const { return parts_; }
  // Calls `work(part, first, last)` for each part of the numbers from 0 to `count` - 1.
  template <class Work>
  void share(std::size_t count, Work work) {
    if (parts_ == 1) return work(std::size_t{0}, std::size_t{0}, count);
    work_ = [&](std::size_t part) { work(part, count * part / parts_, count * (part + 1) / parts_); };
    busy_ = parts_ - 1;
    call();
    work_(0);
    for (std::size_t busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
  }

 private:
  void call() {
    ++calls_;
    calls_.notify_all();
  }
  void serve(std::size_t part) {
    for (std::size_t seen = 0;;) {
      calls_.wait(seen);
      seen = calls_;
      if (!work_) return;
      work_(part);
      if (--busy_ == 0) busy_.notify_one();
    }
  }

  std::size_t parts_;
  std::function<void(std::size_t)> work_;
  std::atomic<std::size_t> calls_{0}, busy_{0};
  std::vector<std::jthread> threads_;  // the last member: threads end before what they read
};

}  // namespace bench
