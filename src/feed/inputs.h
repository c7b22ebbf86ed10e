// Tells pictures from videos by their bytes, for files whose names do not tell.
//
// In:     a path.
// Out:    kPicture or kVideo, or an `Error`.
// Thread: any.
#pragma once

#include <string>

#include <winnow/feed.h>

namespace winnow {

// Decides by the first bytes of a kUnknown file: kPicture if they begin a JPEG, PNG or PNM, else kVideo,
// which FFmpeg may still refuse. Throws an `Error`: kIo if the file cannot be read, kFormat if it is empty or
// text.
InputKind read_input_kind(const std::string& path);

}  // namespace winnow
