// Shows a training of landmarks while it runs: a line of a table for each stage, a status line in between,
// and a log.
//
// In:     the steps of a training.
// Out:    text on standard error, and lines of JSON in the log.
// Memory: a `LandmarkRows` owns the open log.
// Thread: one thread at a time.
#pragma once

#include <winnow/train_landmarks.h>

#include <string>

#include "training/train_log.h"

namespace winnow::cli {

class LandmarkRows {
 public:
  // `log` and `adds`: the arguments `path` and `adds` of `TrainLog`.
  LandmarkRows(const LandmarkOptions& options, const std::string& log, bool adds);
  void step(const LandmarkStep& step);
  void finish(const LandmarkResult& result);
  bool log_failed() const { return log_.failed(); }

 private:
  LandmarkOptions options_;
  TrainLog log_;
  bool live_ = false, head_shown_ = false;
  double shown_ = -1, last_stage_ = 0, stage_began_ = 0;
};

}  // namespace winnow::cli
