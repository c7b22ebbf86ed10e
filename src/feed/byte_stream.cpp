#include "feed/byte_stream.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <winnow/error.h>

namespace winnow {
namespace {

constexpr int kStopIntervalMs = 50;

}  // namespace

ByteStream::ByteStream(const std::string& path, std::stop_token stop)
    : name_(path == "-" ? "standard input" : path), stop_(std::move(stop)) {
  // The pipe is opened without blocking: a blocking open would not return before a writer opens the pipe.
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) throw Error(ErrorCode::kIo, std::strerror(errno), name_);
}

ByteStream::~ByteStream() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t ByteStream::read(std::byte* buffer, std::size_t size) {
  while (!stop_.stop_requested()) {
    pollfd watched{descriptor_, POLLIN, 0};
    const int ready = ::poll(&watched, 1, kStopIntervalMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(descriptor_, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) throw Error(ErrorCode::kIo, std::strerror(errno), name_);
  }
  return 0;
}

}  // namespace winnow
