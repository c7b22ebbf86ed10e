// Ctrl-C (and SIGTERM) as a flag: work ends after the current frame, or the current call of several, with
// whole lines and whole files. A second one ends the program at once. A closed pipe is an error of the write,
// not a signal.
#pragma once

#include <stop_token>
#include <thread>

namespace winnow::cli {

// `words`: said at once in a terminal, where it may take a while.
void watch_for_stop(const char* words = nullptr);
bool stop_requested();
// 128 + the signal: 130 for Ctrl-C.
int stop_exit_code();

// The stop as a token, for work that waits inside the library. A signal handler may not request a stop, since
// that takes locks; it may post a semaphore. A thread that waits for the semaphore requests the stop, at once
// and without polling.
class StopRelay {
 public:
  StopRelay();
  ~StopRelay();
  StopRelay(const StopRelay&) = delete;
  StopRelay& operator=(const StopRelay&) = delete;
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread thread_;
};

}  // namespace winnow::cli
