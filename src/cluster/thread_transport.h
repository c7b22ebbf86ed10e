// Carries messages between threads of one process, each of which is a rank.
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

}  // namespace winnow
