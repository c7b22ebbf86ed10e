// Reads and writes whole files as bytes.
//
// In:     a path, and for writing the bytes.
// Out:    the bytes; or a file that appears under its name only when it is complete.
// Exact:  bytes are read and written unchanged.
// Memory: the bytes read belong to the caller. Bytes to write are read only during the call.
// Thread: any thread may call the functions. A FileWriter belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// Throws kIo if the file cannot be read (a folder, no permission, ...). Throws kLimit if the file is larger
// than `max_bytes` or its name is too long.
std::vector<std::byte> read_file(const std::string& path, std::int64_t max_bytes);
// Writes a second file beside `path` and then renames it, so that a reader never sees half a file. If a step
// fails, throws kIo, or kLimit for a name that is too long, and leaves no new file behind.
void write_file(const std::string& path, std::span<const std::byte> bytes);

// Writes a file piece by piece. A file that is not finished is thrown away.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(std::span<const std::byte> bytes);
  void close();   // ends the writing; some disks report only here that they are full
  void finish();  // closes the file and renames it to `path`

 private:
  std::string path_, unfinished_;
  int descriptor_;  // -1: closed
  bool finished_ = false;
};

}  // namespace winnow
