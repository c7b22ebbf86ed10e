#include "stop.h"

#include <atomic>
#include <csignal>

namespace winnow::cli {
namespace {

// Any thread may run the handler, so it is an atomic, and one that needs no lock.
std::atomic<int> stop_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void remember_stop(int signal) { stop_signal = signal; }

}  // namespace

void watch_for_stop() {
  struct sigaction action {};
  action.sa_handler = remember_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() { return stop_signal != 0; }

int stop_exit_code() { return 128 + stop_signal; }

}  // namespace winnow::cli
