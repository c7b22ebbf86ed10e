// Makes Ctrl-C (and SIGTERM) set a flag and a stop token.
//
// In:     words for the user, which must live as long as the program.
// Out:    work ends after the current frame, or the current call for several frames, with whole lines and
//         whole files. A second signal of the same kind ends the program at once, with a sentence.
// Memory: a `StopRelay` owns its thread. Tokens may outlive the `StopRelay`.
// Thread: the flag may be read from any thread.
#pragma once

#include <stop_token>
#include <thread>

namespace winnow::cli {

// `words` are written to a terminal as soon as the signal comes, for work that may take a while to stop.
void watch_for_stop(const char* words = nullptr);
bool stop_requested();
// 128 + the signal: 130 for Ctrl-C.
int stop_exit_code();

// Gives the stop as a token, for work that waits inside the library. A stop request takes a lock, which a
// signal handler must not do. The handler posts a semaphore instead. A thread waits for the semaphore and
// then requests the stop.
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
