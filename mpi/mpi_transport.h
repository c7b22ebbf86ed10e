// Carries messages between processes by MPI.
//
// In:     MPI that has begun.
// Out:    as cluster/transport.h says.
// Exact:  as there. A rank that dies ends the run: mpirun then ends all others.
// Memory: as there.
// Thread: the thread that began MPI.
//
// A message is one MPI message with the sizes of its parts and its head, and then one for each part. So parts
// are neither packed nor copied.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <list>
#include <vector>

#include "cluster/transport.h"

namespace winnow::mpi {

class MpiTransport final : public Transport {
 public:
  MpiTransport(int rank, int ranks);

  // Whether a message was lost, for lack of memory. No rank can go on then.
  bool broken() const { return broken_; }

  void wait(std::chrono::microseconds most) override;
  void flush() override;

 protected:
  void post(int to, Message message) override;
  bool take(int& from, Message& message) override;

 private:
  struct Sent {
    std::vector<std::byte> envelope;
    Message message;
    std::vector<MPI_Request> requests;
  };
  struct Coming {
    int from = 0;
    Message message;
    std::vector<MPI_Request> requests;
  };
  static void prepare(Sent& sent, Message message);
  void take_envelopes();
  void forget_sent();

  std::list<Sent> sent_;
  std::deque<Coming> coming_;  // those of one rank in their order
  bool broken_ = false;
};

}  // namespace winnow::mpi
