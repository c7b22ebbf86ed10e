// Answers what rank 0 deals to this rank: an ordinary scan, whose inputs arrive in messages.
//
// In:     a transport, and what makes the work of a greeting.
// Out:    messages to rank 0: a record or a problem for each picture and frame, in their order.
// Exact:  the records that a scan of the same inputs gives on rank 0.
// Memory: parcels that rank 0 dealt ahead, in addition to those of the scan (winnow/scan.h).
// Thread: the calling thread alone uses the transport. The scan runs on a thread of its own.
#pragma once

#include <functional>
#include <variant>

#include <winnow/scan.h>

#include "cluster/messages.h"
#include "cluster/split/split_sieve.h"
#include "cluster/transport.h"

namespace winnow {

// What a rank does.
struct RankWork {
  std::unique_ptr<ScanWork> work;
  ScanOptions options;
  RecordRules rules;
};
// A scan, or rows of pictures that all ranks search together.
using RankTask = std::variant<RankWork, RankSift>;
// Throws an `Error` if the rank cannot do it.
using MakeRankTask = std::function<RankTask(const Hello& hello)>;

// Answers until rank 0 ends the run. Returns false if the rank could not do the work, or if the work failed.
WINNOW_API bool answer_as_rank(Transport& transport, const MakeRankTask& make);

}  // namespace winnow
