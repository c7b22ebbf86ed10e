#include "byte_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <winnow/error.h>

#include <cerrno>
#include <cstring>

namespace winnow::cli {
namespace {

constexpr int kStopIntervalMs = 50;

}  // namespace

ByteStream::ByteStream(const std::string& path, const std::atomic<bool>& stopping)
    : name_(path == "-" ? "standard input" : path), stopping_(stopping) {
  // A pipe without a writer would hold a blocking open for ever.
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) throw Error(ErrorCode::kIo, std::strerror(errno), name_);
}

ByteStream::~ByteStream() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t ByteStream::read(std::byte* buffer, std::size_t size) {
  while (!stopping_) {
    pollfd wait{descriptor_, POLLIN, 0};
    const int ready = ::poll(&wait, 1, kStopIntervalMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(descriptor_, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) throw Error(ErrorCode::kIo, std::strerror(errno), name_);
  }
  return 0;
}

}  // namespace winnow::cli
