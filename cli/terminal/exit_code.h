// Runs a program's work, and reports its errors by a sentence and an exit code.
//
// In:     work that returns an exit code, or throws.
// Out:    the exit code (cli/commands.h lists the codes); the sentence on standard error.
// Memory: nothing is kept.
// Thread: the main thread.
#pragma once

#include <winnow/error.h>

#include <functional>
#include <string>
#include <utility>

namespace winnow::cli {

// A kUsage error that also shows what there is, in whole lines.
class ListedError : public Error {
 public:
  ListedError(const std::string& sentence, std::string list)
      : Error(ErrorCode::kUsage, sentence), list_(std::move(list)) {}
  const std::string& list() const { return list_; }

 private:
  std::string list_;
};

int exit_code_of(const std::function<int()>& work);

}  // namespace winnow::cli
