// Writes a count with its noun: "1 picture", "2 pictures".
//
// Out:    a new string.
// Thread: any.
#pragma once

#include <string>

namespace winnow::cli {

std::string counted(long long n, const std::string& noun);

}  // namespace winnow::cli
