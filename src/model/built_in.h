// Models that are a part of the library. "built-in:face" stands where others have a path.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// By name.
std::vector<std::string> built_in_models();
// "" if there is none of this name.
std::string built_in_path(const std::string& name);
// The bytes of its .winnow file; empty for what is no such path.
std::span<const std::byte> built_in_bytes(const std::string& path);

}  // namespace winnow
