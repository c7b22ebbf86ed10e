// What a training shows while it goes: a line of the table for each stage, a status line in between, and a
// log.
#pragma once

#include <winnow/train.h>

#include <fstream>
#include <string>

namespace winnow::cli {

class TrainTable {
 public:
  // `log`: a file for a line of JSON a stage; "": none. Opened for the first line, so that a training that
  // is refused leaves the log of the one before. `adds`: what it holds stays. If it cannot be written, that
  // is said once: a full disk does not end a training.
  TrainTable(const CascadeOptions& options, const std::string& log, bool adds);
  void step(const TrainStep& step);
  void finish(const TrainResult& result);
  bool log_failed() const { return log_failed_; }

 private:
  void stage_done(const TrainStep& step);
  void write_log(const std::string& line);

  int stages_;
  bool adds_;
  std::string log_path_;
  std::ofstream log_;
  bool log_failed_ = false, live_ = false, head_shown_ = false;
  double shown_ = -1, stage_began_ = 0, last_stage_ = 0;
  int stage_ = -1;
};

}  // namespace winnow::cli
