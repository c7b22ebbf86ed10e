// Runs `winnow eval tracking`: every tracker's boxes are judged on every sequence, and the evaluation goes
// into a folder.
//
// In:     a job whose options were checked.
// Out:    the files of the evaluation, figures on standard output, and the exit code. A file that cannot be
//         read, or has another number of frames than the truth, is an `Error`. Then nothing is written.
// Memory: all tracks at once.
// Thread: the main thread.
#pragma once

#include <winnow/eval_tracking.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winnow::cli {

struct TrackingSequence {
  std::string name, file;
  std::string format;              // "": by content
  std::optional<std::int64_t> id;  // the track to judge; no value: the only one
};

struct TrackingFiles {
  std::string name;
  std::vector<std::string> files;  // one for each sequence
  std::string format;              // "": by content, or else that of the truth
};

struct TrackingJob {
  std::vector<TrackingSequence> sequences;
  std::vector<TrackingFiles> trackers;
  TrackingRule rule;
  bool own_ids = false;  // whether each sequence has an id of its own
  std::string out, title;
  bool json = false, quiet = false;
};

// Returns the exit code.
int run_tracking_eval(const TrackingJob& job);

}  // namespace winnow::cli
