#include "train/landmarks/sample_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <winnow/error.h>

namespace winnow {
namespace {

[[noreturn]] void fail(const std::string& folder, int error) {
  throw Error(ErrorCode::kIo,
              "no room for the samples in this folder: " + std::generic_category().message(error), folder);
}

}  // namespace

void* SampleMemory::map(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (static_cast<std::int64_t>(bytes) <= left_) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Error(ErrorCode::kLimit, "too little memory for the samples");
    left_ -= static_cast<std::int64_t>(bytes);
    return memory;
  }
  std::string folder = folder_;
  if (folder.empty()) {
    std::error_code error;
    folder = std::filesystem::temp_directory_path(error).string();
    if (error) fail("the system's folder for such files", error.value());
  }
  std::string name = folder + "/winnow-samples-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail(folder, errno);
  unlink(name.c_str());
  // Reserves the space on disk. Without this, a full disk would end the program at some later write.
  int error = EINTR;  // the call was interrupted by a signal such as Ctrl-C
  while (error == EINTR) error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* const memory =
      error == 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  const int map_error = errno;
  close(file);
  if (error != 0) fail(folder, error);
  if (memory == MAP_FAILED) fail(folder, map_error);
  uses_file_ = true;
  return memory;
}

void unmap(void* memory, std::size_t bytes) noexcept {
  if (memory != nullptr) munmap(memory, bytes);
}

}  // namespace winnow
