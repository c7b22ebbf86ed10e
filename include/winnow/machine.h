// Which machine does the work, and how a long run is kept: the same two structs for every session and
// trainer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <winnow/backend.h>

namespace winnow {

// Taken by every session. The answer does not depend on it.
struct MachineOptions {
  BackendKind backend = BackendKind::kAuto;
  int threads = 0;  // threads of the host; 0 means all cores
  std::vector<int> devices = {
      0};  // of the cuda backend: they share the pictures of a call, or a large one's rows
};

// Taken by every trainer. Only `seed` changes the answer.
struct RunOptions {
  MachineOptions machine;
  std::int64_t memory = std::int64_t{2} << 30;  // bytes for what is computed once and kept
  std::uint64_t seed = 1;
  // Folder that keeps the state of the run; "" keeps none. A state that is there already is an error, unless
  // `resume` is set.
  std::string checkpoint;
  // Goes on from the state in `checkpoint`, if there is one. The result equals that of a run without a break.
  bool resume = false;
};

}  // namespace winnow
