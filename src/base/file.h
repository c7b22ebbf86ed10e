// Whole files as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// kIo if it cannot be read (a folder, no permission, ...), kLimit if it is larger than `max_bytes`.
std::vector<std::byte> read_file(const std::string& path, std::int64_t max_bytes);
// Written beside `path` first, then renamed, so that a reader never sees half a file.
void write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace winnow
