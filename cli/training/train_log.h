// Writes the log of a training: one line of JSON per stage.
//
// In:     the name of the file, "" for none; lines.
// Out:    the file. If it cannot be written, one sentence tells the user, and the training goes on.
// Memory: owns the open file. The file is opened for its first line, so that a training that is refused does
//         not touch an older log.
// Thread: one thread at a time.
#pragma once

#include <fstream>
#include <string>

namespace winnow::cli {

class TrainLog {
 public:
  // `adds`: new lines go after the old lines.
  TrainLog(std::string path, bool adds) : path_(std::move(path)), adds_(adds) {}
  void write(const std::string& line);
  bool failed() const { return failed_; }

 private:
  std::string path_;
  bool adds_, failed_ = false;
  std::ofstream file_;
};

}  // namespace winnow::cli
