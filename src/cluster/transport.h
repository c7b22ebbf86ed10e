// Carries messages between the ranks of a run. Rank 0 deals work and gathers answers; the others answer.
//
// In:     a message for a rank: a head, and parts that may be large.
// Out:    messages of other ranks. Those of one rank come in the order in which they were sent.
// Exact:  bytes arrive as they were sent, or the run ends.
// Memory: a message that was sent keeps its parts until they have left. One that was received owns its parts.
// Thread: one thread at a time. Ranks may be threads of one process (`thread_transport_for_test.h`).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <winnow/feed.h>

namespace winnow {

struct MessagePart {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  FileBytes file = {};  // the same bytes, if they lie in a vector
};

struct Message {
  std::vector<std::byte> head;
  std::vector<MessagePart> parts;

  std::int64_t bytes() const {
    std::size_t sum = head.size();
    for (const MessagePart& part : parts) sum += part.bytes.size();
    return static_cast<std::int64_t>(sum);
  }
};

class Transport {
 public:
  Transport(int rank, int ranks) : rank_(rank), ranks_(ranks) {}
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  static constexpr std::size_t kMostPart = INT32_MAX;  // bytes: just below 2 GiB

  // Sends a message. Does not wait until it has arrived. kLimit if a part is larger than `kMostPart`; nothing
  // is sent then, nor if there is not enough memory.
  void send(int to, Message message) {
    sent_bytes_ += message.bytes();
    post(to, std::move(message));
  }
  // Takes a message that has arrived whole, and the rank that sent it. False if there is none.
  bool receive(int& from, Message& message) {
    if (!take(from, message)) return false;
    received_bytes_ += message.bytes();
    return true;
  }
  // Bytes of the messages so far.
  std::int64_t sent_bytes() const { return sent_bytes_; }
  std::int64_t received_bytes() const { return received_bytes_; }

  // Sleeps until a message may have come, or for `most`.
  virtual void wait(std::chrono::microseconds most) = 0;
  // Waits until all messages of this rank have left.
  virtual void flush() = 0;

 protected:
  virtual void post(int to, Message message) = 0;
  virtual bool take(int& from, Message& message) = 0;

 private:
  int rank_, ranks_;
  std::int64_t sent_bytes_ = 0, received_bytes_ = 0;
};

}  // namespace winnow
