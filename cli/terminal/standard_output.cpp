#include "terminal/standard_output.h"

#include <fcntl.h>
#include <unistd.h>
#include <winnow/error.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace winnow::cli {
namespace {

std::string name_of_output = "standard output";

}  // namespace

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw OutputClosed();
    } else if (errno != EINTR) {
      throw Error(ErrorCode::kIo, std::string("cannot be written: ") + std::strerror(errno), name_of_output);
    }
  }
}

void print_into(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || ::dup2(file, STDOUT_FILENO) < 0) throw Error(ErrorCode::kIo, std::strerror(errno), path);
  ::close(file);
  name_of_output = path;
}

void guard_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // The placeholder is opened for reading only. Reading from it gives the end of file, and writing to a
    // closed standard output is still an error.
    const int holder = ::open("/dev/null", O_RDONLY);
    if (holder > STDERR_FILENO) ::close(holder);
  }
}

}  // namespace winnow::cli
