#include "terminal/outputs.h"

#include <winnow/error.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

[[noreturn]] void fail_to_write(const std::string& path) {
  throw Error(ErrorCode::kIo, std::string("cannot write: ") + std::strerror(errno), path);
}

}  // namespace

void check_writable(const std::string& path, bool replaced) {
  std::error_code error;
  require(!std::filesystem::is_directory(path, error), path + " is a folder, not a file");
  if (!replaced && std::filesystem::exists(path, error)) {
    if (::access(path.c_str(), W_OK) != 0) fail_to_write(path);
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (::access((folder / ".").c_str(), W_OK | X_OK) != 0) fail_to_write(path);
}

void check_new(const std::string& path) {
  std::error_code error;
  require(std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found,
          path + " is there already (--force writes over it)");
}

void check_nothing_lost(const std::string& path) {
  std::error_code error;
  require(!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0,
          path + " is there already (--force writes over it)");
}

std::string real_place(const std::string& path) {
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? path : place.string();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorCode::kIo, "this file cannot be written", path);
}

}  // namespace winnow::cli
