#include "terminal/standard_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <winnow/error.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>

namespace winnow::cli {
namespace {

std::string name_of_output = "standard output";
std::int64_t whole_bytes = -1;  // of a file, by texts that were written whole; below 0 for standard output

// A full disk may leave a part of a text in the file.
void drop_the_part() {
  if (whole_bytes >= 0 && ::ftruncate(STDOUT_FILENO, whole_bytes) != 0) return;  // the error is told anyway
}

}  // namespace

void print(std::string_view text) {
  const auto bytes = static_cast<std::int64_t>(text.size());
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw OutputClosed();
    } else if (errno != EINTR) {
      const std::string why = std::strerror(errno);
      drop_the_part();
      throw Error(ErrorCode::kIo, "cannot be written: " + why, name_of_output);
    }
  }
  if (whole_bytes >= 0) whole_bytes += bytes;
}

void print_into(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || ::dup2(file, STDOUT_FILENO) < 0) throw Error(ErrorCode::kIo, std::strerror(errno), path);
  ::close(file);
  name_of_output = path;
  struct stat status {};
  if (::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode)) whole_bytes = 0;
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
