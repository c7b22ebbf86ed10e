// Runs `winnow detect`: searches inputs and writes lines to standard output, and annotated files if asked
// for.
//
// In:     a job whose options were checked, and the list of inputs.
// Out:    lines in the order of the inputs; the exit code.
// Exact:  the same lines for every backend, thread count and batch size.
// Memory: that of `Scan`.
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/detector.h>
#include <winnow/feed.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winnow::cli {

struct DetectJob {
  std::string model;  // a file
  MachineOptions detector;
  DetectOptions options;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  int every = 1;
  // Without a value, the batch of `Scan`, or 1 with `timing`.
  std::optional<int> batch;
  ResultFormat format = ResultFormat::kJsonLines;
  std::string out;  // "": no annotated files
  bool blur = false, timing = false, quiet = false;
};

// Returns the exit code.
int run_detect(const DetectJob& job, std::vector<Input> inputs);

}  // namespace winnow::cli
