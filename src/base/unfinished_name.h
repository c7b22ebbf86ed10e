// Gives the name that a file has until it is written completely.
//
// In:     the path that the file will have.
// Out:    a name in the same folder, so that a rename completes the file.
// Memory: the name is a new string.
// Thread: any.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace winnow {

inline std::string unfinished_name(const std::string& path) { return path + ".part"; }

// A short name, for a path whose last component is so long that no ending fits.
inline std::string short_unfinished_name(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;  // 0 if there is no '/'
  return path.substr(0, name) + std::to_string(std::hash<std::string>{}(path.substr(name))) + ".part";
}

}  // namespace winnow
