// Carries messages between threads of one process, each of which is a rank, for tests.
//
// In:     the number of ranks.
// Out:    a transport for each rank.
// Exact:  as transport.h says.
// Memory: parts of messages are shared, not copied. A post office outlives its transports.
// Thread: each transport is used by one thread at a time.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cluster/transport.h"

namespace winnow {

class PostOffice {
 public:
  explicit PostOffice(int ranks) : boxes_(static_cast<std::size_t>(ranks)) {}
  std::unique_ptr<Transport> transport(int rank);

 private:
  class OfThread;
  struct Letter {
    int from;
    Message message;
  };
  struct LetterBox {
    std::mutex mutex;
    std::condition_variable came;
    std::deque<Letter> letters;
  };
  std::vector<LetterBox> boxes_;
};

class PostOffice::OfThread final : public Transport {
 public:
  OfThread(PostOffice& office, int rank)
      : Transport(rank, static_cast<int>(office.boxes_.size())),
        office_(office),
        own_(office.boxes_[static_cast<std::size_t>(rank)]) {}

  void wait(std::chrono::microseconds most) override {
    std::unique_lock lock(own_.mutex);
    own_.came.wait_for(lock, most, [&] { return !own_.letters.empty(); });
  }
  void flush() override {}

 protected:
  void post(int to, Message message) override {
    LetterBox& box = office_.boxes_[static_cast<std::size_t>(to)];
    const std::lock_guard lock(box.mutex);
    box.letters.push_back({rank(), std::move(message)});
    box.came.notify_one();
  }
  bool take(int& from, Message& message) override {
    const std::lock_guard lock(own_.mutex);
    if (own_.letters.empty()) return false;
    from = own_.letters.front().from;
    message = std::move(own_.letters.front().message);
    own_.letters.pop_front();
    return true;
  }

 private:
  PostOffice& office_;
  LetterBox& own_;
};

inline std::unique_ptr<Transport> PostOffice::transport(int rank) {
  return std::make_unique<OfThread>(*this, rank);
}

}  // namespace winnow
