// Gives the pictures of a file as frames. Most files have one picture; a PNM file may have several.
//
// In:     an input that is a picture's file, on the disk or in memory.
// Out:    calls of `give` with kFrame events, without the input's number. `Error` if the file cannot be read.
// Memory: the file is in memory until the last picture is given.
// Thread: any.
#pragma once

#include <functional>

#include <winnow/feed.h>

namespace winnow {

// Stops if `give` returns false. With `options.files` a file of one picture is given undecoded. The pictures
// of a file that holds several are decoded all the same.
void give_file_frames(const Input& input, const FrameReaderOptions& options,
                      const std::function<bool(FrameEvent event)>& give);

}  // namespace winnow
