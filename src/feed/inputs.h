// Distinguishes pictures from videos by their bytes, for files with an unknown ending.
//
// In:     a path.
// Out:    kPicture or kVideo, or an `Error`.
// Memory: results belong to the caller; nothing is kept, and no file stays open.
// Thread: any.
#pragma once

#include <string>

#include <winnow/feed.h>

namespace winnow {

// Decides by the first bytes of a kUnknown file: kPicture if they begin a picture of a known format, also of
// one that is not read. Else kVideo; FFmpeg may still refuse the file. Throws an `Error`: kIo if the file cannot be read,
// kFormat if the file is empty or text.
InputKind read_input_kind(const std::string& path);

}  // namespace winnow
