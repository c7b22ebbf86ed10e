// Takes one path or several from Python.
//
// In:     str, bytes or os.PathLike, or a list of them.
// Out:    paths as the bytes that the system knows. Another type is a TypeError.
// Memory: a path is a copy.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "values.h"

namespace winnow::python {

// A path, or a list of paths.
inline std::vector<std::string> paths_of(nb::handle object) {
  std::vector<std::string> paths;
  Path path;
  if (nb::try_cast(object, path)) return {path.text};
  std::vector<Path> several;
  if (!nb::try_cast(object, several))
    throw nb::type_error("give a path or a list of paths, and no generator");
  for (Path& one : several) paths.push_back(std::move(one.text));
  return paths;
}

}  // namespace winnow::python
