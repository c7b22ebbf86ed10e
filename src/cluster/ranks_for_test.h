// Runs ranks as threads of one process, for tests.
//
// In:     what makes the work of a rank.
// Out:    the transport of rank 0.
// Exact:  ranks answer as processes do.
// Memory: ranks end before this object.
// Thread: each rank is a thread.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <winnow/version.h>

#include "cluster/messages.h"
#include "cluster/thread_transport_for_test.h"
#include "cluster/worker.h"

namespace winnow::sample {

inline Hello greeting() { return {version(), {"detect"}, {{"model", {std::byte{1}, std::byte{2}}}}}; }

class Ranks {
 public:
  Ranks(int ranks, const MakeRankTask& make) : office_(ranks), root_(office_.transport(0)) {
    for (int i = 1; i < ranks; ++i)
      threads_.emplace_back([this, i, make] {
        const std::unique_ptr<Transport> transport = office_.transport(i);
        good_ += answer_as_rank(*transport, make);
        sent_bytes_ += transport->sent_bytes();
        received_bytes_ += transport->received_bytes();
      });
  }
  ~Ranks() { end(); }
  void end() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  Transport& root() { return *root_; }
  // After all ranks have ended.
  int good() const { return good_; }
  std::int64_t sent_bytes() const { return sent_bytes_; }
  std::int64_t received_bytes() const { return received_bytes_; }

 private:
  PostOffice office_;
  std::unique_ptr<Transport> root_;
  std::atomic<int> good_ = 0;
  std::atomic<std::int64_t> sent_bytes_ = 0, received_bytes_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace winnow::sample
