// Writes to standard error. The opening comment of cli/terminal/terminal.h, which declares this, holds here.
#include "terminal/terminal.h"

#include <winnow/answer.h>

#include <unistd.h>

namespace winnow::cli {
namespace {

bool status_shown = false;

// A failed write to standard error is ignored, since there is no other place to report it.
void write_error(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

bool error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

void say(const std::string& sentence, const std::string& list) {
  clear_status();
  write_error("winnow: " + printable_line(sentence) + "\n" + printable(list));
}

void show_status(const std::string& text) {
  std::string line = "\r";
  line += printable_line(text);
  line += "\x1b[K";
  write_error(line);
  status_shown = true;
}

void clear_status() {
  if (!status_shown) return;
  status_shown = false;
  write_error("\r\x1b[K");
}

}  // namespace winnow::cli
