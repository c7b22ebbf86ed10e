// Runs a program's work, and reports its errors by a sentence and an exit code.
//
// In:     work that returns an exit code, or throws.
// Out:    the exit code (cli/commands.h lists the codes); the sentence on standard error.
// Memory: nothing is kept.
// Thread: the main thread.
#pragma once

#include <functional>

namespace winnow::cli {

int exit_code_of(const std::function<int()>& work);

}  // namespace winnow::cli
