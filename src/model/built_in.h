// Gives the models inside the library. A path such as "built-in:face" names one of them.
//
// Out:    names, paths, and the bytes of .winnow files.
// Memory: the bytes are constants that live as long as the program.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// The names of all built-in models.
std::vector<std::string> built_in_models();
// The path of the model of this name; "" if there is none.
std::string built_in_path(const std::string& name);
// The bytes of the .winnow file at this path; empty if no built-in model has the path.
std::span<const std::byte> built_in_bytes(const std::string& path);

}  // namespace winnow
