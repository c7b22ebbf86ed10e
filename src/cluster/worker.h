// Answers what rank 0 deals to this rank: an ordinary scan, whose inputs arrive in messages.
//
// In:     a transport, and what makes the work of a greeting.
// Out:    messages to rank 0: a record or a problem for each picture and frame, in their order.
// Exact:  the records that a scan of the same inputs gives on rank 0.
// Memory: parcels that rank 0 dealt ahead, in addition to those of the scan (winnow/scan.h).
// Thread: the calling thread alone uses the transport. The scan runs on a thread of its own.
#pragma once

#include <functional>

#include <winnow/scan.h>

#include "cluster/messages.h"
#include "cluster/transport.h"

namespace winnow {

// What a rank does.
struct RankWork {
  std::unique_ptr<ScanWork> work;
  ScanOptions options;
  RecordRules rules;
};
// Throws an `Error` if the rank cannot do it.
using MakeRankWork = std::function<RankWork(const Hello& hello)>;

// Answers until rank 0 ends the run. Returns false if the rank could not do the work, or if the work failed.
WINNOW_API bool answer_as_rank(Transport& transport, const MakeRankWork& make);

}  // namespace winnow
