// Shows a training while it runs: a line of a table for each stage, a status line in between, and a log.
//
// In:     the steps of a training.
// Out:    text on standard error, and lines of JSON in the log.
// Memory: a `ProgressRows` owns the open log. The word `unit` must outlive the `ProgressRows`.
// Thread: one thread at a time.
#pragma once

#include <winnow/train.h>

#include <fstream>
#include <string>

namespace winnow::cli {

class ProgressRows {
 public:
  // `unit` names the subject of a line, such as "stage", and `units` is the number of lines. `log` is a file
  // for one line of JSON per stage; "": none. The log is opened for its first line, so that a training that
  // is refused does not touch an older log. `adds`: new lines go after the old lines. If the log cannot be
  // written, one sentence tells the user, and the training goes on.
  ProgressRows(const char* unit, int units, const std::string& log, bool adds);
  void step(const TrainStep& step);
  void finish(std::size_t stages, const std::string& ended_early, bool stopped, const std::string& backend,
              double seconds);
  bool log_failed() const { return log_failed_; }

 private:
  void stage_done(const TrainStep& step);
  void write_log(const std::string& line);

  const char* unit_;
  int units_;
  bool adds_;
  std::string log_path_;
  std::ofstream log_;
  bool log_failed_ = false, live_ = false, head_shown_ = false;
  double shown_ = -1, stage_began_ = 0, last_stage_ = 0;
  int stage_ = -1;
};

}  // namespace winnow::cli
