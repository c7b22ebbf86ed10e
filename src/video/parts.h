// The two halves of the room, behind what it gives to the library (`image/video_parts.h`).
#pragma once

#include <memory>
#include <string>

#include "image/video_parts.h"

namespace winnow {

std::unique_ptr<VideoSource> open_video(const std::string& path, const VideoOptions& options);
std::unique_ptr<VideoSink> create_video(const std::string& path, const VideoInfo& info,
                                        const std::string& source);

}  // namespace winnow
