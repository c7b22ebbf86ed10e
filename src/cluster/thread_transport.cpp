#include "cluster/thread_transport.h"

namespace winnow {

class PostOffice::OfThread final : public Transport {
 public:
  OfThread(PostOffice& office, int rank)
      : Transport(rank, static_cast<int>(office.boxes_.size())),
        office_(office),
        own_(office.boxes_[static_cast<std::size_t>(rank)]) {}

  void send(int to, Message message) override {
    LetterBox& box = office_.boxes_[static_cast<std::size_t>(to)];
    const std::lock_guard lock(box.mutex);
    box.letters.push_back({rank(), std::move(message)});
    box.came.notify_one();
  }
  bool receive(int& from, Message& message) override {
    const std::lock_guard lock(own_.mutex);
    if (own_.letters.empty()) return false;
    from = own_.letters.front().from;
    message = std::move(own_.letters.front().message);
    own_.letters.pop_front();
    return true;
  }
  void wait(std::chrono::microseconds most) override {
    std::unique_lock lock(own_.mutex);
    own_.came.wait_for(lock, most, [&] { return !own_.letters.empty(); });
  }
  void flush() override {}

 private:
  PostOffice& office_;
  LetterBox& own_;
};

std::unique_ptr<Transport> PostOffice::transport(int rank) { return std::make_unique<OfThread>(*this, rank); }

}  // namespace winnow
