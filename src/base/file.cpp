#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <winnow/error.h>

namespace winnow {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorCode::kIo, std::string(what) + ": " + std::strerror(errno), path);
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path, std::int64_t max_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "cannot open");
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) fail(path, "cannot read");
  if (S_ISDIR(info.st_mode)) throw Error(ErrorCode::kIo, "is a folder, not a file", path);
  std::vector<std::byte> bytes;
  if (S_ISREG(info.st_mode) && info.st_size <= max_bytes)
    bytes.reserve(static_cast<std::size_t>(info.st_size) + 1);
  // Pipes and /proc files have no size, so read until the end and never more than allowed.
  constexpr std::size_t kChunk = 1 << 18;
  for (;;) {
    const std::size_t used = bytes.size();
    const std::size_t room = bytes.capacity() > used ? bytes.capacity() - used : kChunk;
    bytes.resize(used + room);
    const ssize_t got = ::read(file.fd, bytes.data() + used, room);
    if (got < 0 && errno != EINTR) fail(path, "cannot read");
    bytes.resize(used + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) return bytes;
    if (static_cast<std::int64_t>(bytes.size()) > max_bytes) {
      throw Error(ErrorCode::kLimit, "is larger than the " + std::to_string(max_bytes) + " bytes allowed",
                  path);
    }
  }
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  const std::string part = path + ".part";
  {
    const Descriptor file{::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.fd < 0) fail(path, "cannot write");
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t put = ::write(file.fd, bytes.data() + done, bytes.size() - done);
      if (put < 0 && errno != EINTR) {
        ::unlink(part.c_str());
        fail(path, "cannot write");
      }
      if (put > 0) done += static_cast<std::size_t>(put);
    }
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    ::unlink(part.c_str());
    fail(path, "cannot write");
  }
}

}  // namespace winnow
