#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <winnow/error.h>

#include "base/unfinished_name.h"

namespace winnow {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// A name that is too long is kLimit, since the disk is not at fault. Every other failure is kIo.
[[noreturn]] void fail(const std::string& path, const char* what) {
  const ErrorCode code = errno == ENAMETOOLONG ? ErrorCode::kLimit : ErrorCode::kIo;
  throw Error(code, std::string(what) + ": " + std::strerror(errno), path);
}

int open_new(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path, std::int64_t max_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "cannot open");
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) fail(path, "cannot read");
  if (S_ISDIR(info.st_mode)) throw Error(ErrorCode::kIo, "is a folder, not a file", path);
  std::vector<std::byte> bytes;
  // With one byte more than the size, the read that finds the end of the file needs no new memory.
  if (S_ISREG(info.st_mode) && info.st_size <= max_bytes)
    bytes.reserve(static_cast<std::size_t>(info.st_size) + 1);
  // Pipes and /proc files have no size. The loop reads to the end, and stops above `max_bytes`.
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

FileWriter::FileWriter(const std::string& path)
    : path_(path), unfinished_(unfinished_name(path)), descriptor_(open_new(unfinished_)) {
  if (descriptor_ < 0 && errno == ENAMETOOLONG) {
    unfinished_ = short_unfinished_name(path);  // only the ending may have made the name too long
    descriptor_ = open_new(unfinished_);
  }
  if (descriptor_ < 0) fail(path, "cannot write");
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!finished_) ::unlink(unfinished_.c_str());
}

void FileWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR) fail(path_, "cannot write");
    if (put > 0) bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void FileWriter::close() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(path_, "cannot write");
}

void FileWriter::finish() {
  close();
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) fail(path_, "cannot write");
  finished_ = true;
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  FileWriter file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace winnow
