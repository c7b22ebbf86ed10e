// Ctrl-C (and SIGTERM) as a flag: work ends after the current frame, or the current call of several, with
// whole lines and whole files. A second one ends the program at once. A closed pipe is an error of the write,
// not a signal.
#pragma once

namespace winnow::cli {

// `words`: said at once in a terminal, where it may take a while.
void watch_for_stop(const char* words = nullptr);
bool stop_requested();
// 128 + the signal: 130 for Ctrl-C.
int stop_exit_code();

}  // namespace winnow::cli
