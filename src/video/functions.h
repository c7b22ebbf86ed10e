// Gives the two functions of this room: one opens a video for reading, the other for writing. The library
// calls them through `image/video_functions.h`.
//
// In:     paths, and the options or the shape of the video.
// Out:    a source or a sink of frames, or an `Error` that names the path. If the audio is at fault, the
//         error names `source`.
// Exact:  as winnow/video.h says.
// Memory: source and sink belong to the caller, as image/video_functions.h says.
// Thread: any thread may open; a source or sink belongs to one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "image/video_functions.h"

namespace winnow {

std::unique_ptr<VideoSource> open_video(const std::string& path, const VideoOptions& options);
std::unique_ptr<VideoSink> create_video(const std::string& path, const VideoInfo& info,
                                        const std::string& source);

}  // namespace winnow
