// What a training shows while it goes: a line of the table for each stage, a status line in between, and a
// log.
#pragma once

#include <winnow/train.h>

#include <fstream>
#include <string>

namespace winnow::cli {

class TrainTable {
 public:
  // `log`: a file for a line of JSON a stage; "": none. A kIo error if it cannot be written.
  TrainTable(const TrainOptions& options, const std::string& log);
  void step(const TrainStep& step);
  void finish(const TrainResult& result);

 private:
  void stage_done(const TrainStep& step);
  void write_log(const std::string& line);

  int stages_;
  std::string log_path_;
  std::ofstream log_;
  bool live_ = false, head_shown_ = false;
  double shown_ = -1, stage_began_ = 0, last_stage_ = 0;
  int stage_ = -1;
};

}  // namespace winnow::cli
