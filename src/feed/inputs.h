// Tells what a file is whose name does not tell.
//
// In:     a path.
// Out:    kPicture or kVideo, or an `Error`.
// Thread: any.
#pragma once

#include <string>

#include <winnow/feed.h>

namespace winnow {

// Decides by the first bytes of a kUnknown file: kPicture or kVideo. Throws an `Error` that says what else
// the file is: kIo if it cannot be read, kFormat if it is empty or text.
InputKind look_inside(const std::string& path);

}  // namespace winnow
