// Holds the options of sessions and trainers: which hardware does the work, and where a long run keeps its
// state.
//
// In:     nothing; these are options.
// Exact:  only `RunOptions::seed` changes a result.
// Memory: plain data; `RunOptions::memory` bounds the data that a trainer keeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <winnow/backend.h>

namespace winnow {

// Every session takes these options, and its result does not depend on them. A trainer uses the first device
// only. Errors: kUsage for threads below 0 or above 1024, and for an empty list of devices; kBackend for a
// device that does not exist.
struct MachineOptions {
  BackendKind backend = BackendKind::kAuto;
  int threads = 0;  // threads of the host; 0 means all cores
  // CUDA's numbers of the devices to use, for the backend cuda. The devices divide the pictures of a call
  // among them, or the rows of a large picture.
  std::vector<int> devices = {0};
};

// Every trainer takes these options. Only `seed` changes the result.
struct RunOptions {
  MachineOptions machine;
  // The most bytes of data that the trainer computes once and keeps. kLimit if not even the samples fit.
  std::int64_t memory = std::int64_t{2} << 30;
  std::uint64_t seed = 1;
  // The folder that keeps the state of the run; "" keeps none. If the folder already has a state, that is a
  // kUsage error unless `resume` is set.
  std::string checkpoint;
  // Continues from the state in `checkpoint`, if there is one. The result equals that of a run that was not
  // interrupted. kUsage if `checkpoint` is "", and for the state of a run with other samples, seed or
  // options.
  bool resume = false;
};

}  // namespace winnow
