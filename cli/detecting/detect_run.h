// Runs `winnow detect` and `winnow faces`: searches inputs, writes lines to standard output, and writes
// annotated files if the user wants them.
//
// In:     a job whose options were checked, and the list of inputs.
// Out:    lines in the order of the inputs; the exit code.
// Exact:  the same lines for every backend, thread count and batch size.
// Memory: as `Scan` (winnow/scan.h).
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/detector.h>
#include <winnow/feed.h>
#include <winnow/follower.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winnow::cli {

struct DetectJob {
  std::string model;      // a file
  std::string landmarks;  // a file; "": boxes alone
  FollowOptions follow;   // for faces: `min_confidence` and the options for videos; `search` is not read
  MachineOptions detector;
  DetectOptions options;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  int every = 1;
  std::optional<int> batch;  // frames per batch; without a value, `Scan` chooses
  ResultFormat format = ResultFormat::kJsonLines;
  std::string out;     // "": no annotated files
  std::string review;  // "": no page about the blurred copies
  bool blur = false, timing = false, quiet = false;
  std::string left_out;  // what the folders hold beside pictures and videos, for the summary
};

// kUsage if the boxes of a search are not merged, so that faces cannot be followed. The values are those of
// `DetectOptions`.
void require_merged(bool raw, std::optional<int> min_neighbors);

// Returns the exit code.
int run_detect(const DetectJob& job, std::vector<Input> inputs);

}  // namespace winnow::cli
