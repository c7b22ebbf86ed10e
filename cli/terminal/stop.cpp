#include "terminal/stop.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace winnow::cli {
namespace {

// Atomics without a lock, because any thread may run the signal handler.
std::atomic<int> stop_signal = 0;
std::atomic<bool> interrupted = false, terminated = false;  // whether SIGINT, SIGTERM came
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

const char* stop_words = nullptr;  // set before any signal can come

constexpr const char* kAtOnce =
    "winnow: ended at once by a second signal; files that end in .part are not whole\n";

// A semaphore. The signal handler posts it, and a relay that ends posts it, too.
class StopPost {
 public:
  StopPost() { sem_init(&semaphore_, 0, 0); }
  void post() { sem_post(&semaphore_); }
  void wait() {
    while (sem_wait(&semaphore_) != 0) {
    }
  }

 private:
  sem_t semaphore_;
} stop_post;

// If a write fails, a signal handler can do nothing about it.
void write_words(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

// The signal comes again once the handler returns, and then has its usual effect.
void end_at_once(int signal) {
  std::signal(signal, SIG_DFL);
  if (isatty(STDERR_FILENO) != 0) write_words("\n");  // below the status line
  write_words(kAtOnce);
  std::raise(signal);
}

void remember_stop(int signal) {
  const int before = errno;  // the interrupted code may read errno
  std::atomic<bool>& came = signal == SIGINT ? interrupted : terminated;
  if (came.exchange(true)) {
    end_at_once(signal);
  } else {
    stop_signal = signal;
    stop_post.post();
    if (stop_words != nullptr)
      for (const char* text : {"\n", stop_words, "\n"}) write_words(text);
  }
  errno = before;
}

}  // namespace

void watch_for_stop(const char* words) {
  stop_words = words != nullptr && isatty(STDERR_FILENO) != 0 ? words : nullptr;
  struct sigaction action {};
  action.sa_handler = remember_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() { return stop_signal != 0; }

int stop_exit_code() { return 128 + stop_signal; }

StopRelay::StopRelay()
    : thread_([source = source_]() mutable {
        stop_post.wait();
        if (stop_requested()) source.request_stop();
      }) {}

StopRelay::~StopRelay() {
  stop_post.post();
  thread_.join();
}

}  // namespace winnow::cli
