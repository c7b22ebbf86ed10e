// Ctrl-C (and SIGTERM) as a flag: work ends after the current frame, or the current call of several, with
// whole lines and whole files. A second one ends the program at once. A closed pipe is an error of the write,
// not a signal.
#pragma once

namespace winnow::cli {

void watch_for_stop();
bool stop_requested();
// 128 + the signal: 130 for Ctrl-C.
int stop_exit_code();

}  // namespace winnow::cli
