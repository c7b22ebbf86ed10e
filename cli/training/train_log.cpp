#include "training/train_log.h"

#include "terminal/terminal.h"

namespace winnow::cli {

void TrainLog::write(const std::string& line) {
  if (path_.empty() || failed_) return;
  if (!file_.is_open()) file_.open(path_, adds_ ? std::ios::app : std::ios::trunc);
  file_ << line << '\n' << std::flush;
  if (file_) return;
  failed_ = true;
  say(path_ + ": this log cannot be written; the training goes on without it");
}

}  // namespace winnow::cli
