// Leaves a run that is ended from outside: by Ctrl-C, or since another rank died. Nobody waits for other
// ranks then. MPI may never return to the main thread, so a thread of its own leaves.
//
// In:     the input of the lines that are written.
// Out:    a sentence on standard error that says where the lines end.
// Exact:  no line is cut.
// Memory: one input.
// Thread: `write` on the main thread.
#pragma once

#include <winnow/feed.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::mpi {

class LeaveAtStop {
 public:
  // Writes the lines of an event of this input.
  template <class Write>
  void write(std::shared_ptr<const Input> input, Write lines) {
    const std::lock_guard lock(writing_);
    lines();
    last_ = std::move(input);
  }
  std::stop_token token() const { return stop_.token(); }
  [[noreturn]] void leave() {
    writing_.lock();  // for ever
    cli::say(last_ == nullptr ? "stopped before any line"
                              : "stopped; the lines end with " + input_name(*last_));
    std::_Exit(cli::stop_exit_code());
  }

 private:
  cli::StopRelay stop_;
  std::mutex writing_;
  std::shared_ptr<const Input> last_;
  std::stop_callback<std::function<void()>> at_stop_{stop_.token(), [this] { leave(); }};
};

}  // namespace winnow::mpi
