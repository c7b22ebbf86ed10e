// Makes Ctrl-C (and SIGTERM) set a flag and a stop token.
//
// In:     words for the user, which must live as long as the program.
// Out:    work ends after the current frame, or the current call for several frames, with whole lines and
//         whole files. A second signal ends the program at once.
// Memory: a `StopRelay` owns its thread; tokens may outlive it.
// Thread: the flag may be read from any thread.
#pragma once

#include <stop_token>
#include <thread>

namespace winnow::cli {

// `words`: written at once to a terminal, for work that may take a while to stop.
void watch_for_stop(const char* words = nullptr);
bool stop_requested();
// 128 + the signal: 130 for Ctrl-C.
int stop_exit_code();

// Gives the stop as a token, for work that waits inside the library. A signal handler must not take locks, as
// a stop request does, but may post a semaphore. A thread waits for that semaphore and then requests the
// stop, without polling.
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
