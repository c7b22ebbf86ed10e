// The run behind `winnow detect`: inputs in, lines on standard output (and annotated files) out.
// Frames are gathered into batches for the detector; lines come in the order of the inputs, and are the same
// for every backend, thread count and batch size. A batch is cut short when its pictures reach 256 MiB, which
// together with the reader's queue bounds the memory of decoded pictures at about 512 MiB.
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
  std::optional<Box> roi;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  int every = 1;
  // Without: on a processor what is read already, at most 64; 1 with `timing`, and on a device.
  std::optional<int> batch;
  ResultFormat format = ResultFormat::kJsonLines;
  std::string out;  // "": no annotated files
  bool blur = false, timing = false, quiet = false;
};

// Returns the exit code.
int run_detect(const DetectJob& job, const std::vector<Input>& inputs);

}  // namespace winnow::cli
