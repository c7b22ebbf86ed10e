// The name that a file has until it is whole: in the folder it will lie in, so that it can be renamed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace winnow {

inline std::string name_of_part(const std::string& path) { return path + ".part"; }

// For a path whose last name is so long that nothing can be added to it.
inline std::string short_name_of_part(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;  // 0 where there is none
  return path.substr(0, name) + std::to_string(std::hash<std::string>{}(path.substr(name))) + ".part";
}

}  // namespace winnow
