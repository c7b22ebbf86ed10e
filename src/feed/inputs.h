// What an input without a telling name is.
#pragma once

#include <string>

#include <winnow/feed.h>

namespace winnow {

// Decides a kUnknown file by its first bytes: kPicture or kVideo. Throws an Error that says what else it is.
InputKind look_inside(const std::string& path);

}  // namespace winnow
