// Whole files as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// kIo if it cannot be read (a folder, no permission, ...), kLimit if it is larger than `max_bytes` or its
// name is too long.
std::vector<std::byte> read_file(const std::string& path, std::int64_t max_bytes);
// Written beside `path` first, then renamed, so that a reader never sees half a file. kIo, or kLimit for a
// name that is too long, and nothing is left.
void write_file(const std::string& path, std::span<const std::byte> bytes);

// The same piece by piece. What is not finished is thrown away.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(std::span<const std::byte> bytes);
  void close();   // no more bytes: some disks say only now that they are full
  void finish();  // closes it, and puts it in its place

 private:
  std::string path_, part_;
  int descriptor_;  // -1: closed
  bool finished_ = false;
};

}  // namespace winnow
