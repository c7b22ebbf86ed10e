// Shows a training while it runs: a line of a table for each stage, a status line in between, and a log.
//
// In:     the steps of a training.
// Out:    text on standard error, and lines of JSON in the log.
// Memory: a `ProgressRows` owns the open log. The word `unit` must outlive the `ProgressRows`.
// Thread: one thread at a time.
#pragma once

#include <winnow/train.h>

#include <string>

#include "training/train_log.h"

namespace winnow::cli {

class ProgressRows {
 public:
  // `unit` names what a line stands for, such as "stage", and `units` is the number of lines wanted. `log` is
  // the name of a file for one line of JSON per stage, or "". `adds`: as for `TrainLog`.
  ProgressRows(const char* unit, int units, const std::string& log, bool adds);
  void step(const TrainStep& step);
  template <class Result>
  void finish(const Result& result) {
    std::size_t done = 0;
    if constexpr (requires { result.rounds; }) {
      done = result.rounds.size();
    } else {
      done = result.stages.size();
    }
    finish(done, result.ended_early, result.stopped, result.backend, result.seconds);
  }
  bool log_failed() const { return log_.failed(); }

 private:
  void finish(std::size_t stages, const std::string& ended_early, bool stopped, const std::string& backend,
              double seconds);
  void stage_done(const TrainStep& step);

  const char* unit_;
  int units_;
  TrainLog log_;
  bool live_ = false, head_shown_ = false;
  double shown_ = -1, stage_began_ = 0, last_stage_ = 0;
  int stage_ = -1;
};

}  // namespace winnow::cli
