// Gives the implementation behind `VideoReader` and `VideoWriter`: a source and a sink of frames, made by the
// room `video`.
//
// In:     the path of a video, for the error if the library cannot be loaded.
// Out:    `video_functions()`: the functions that open a video and create one.
// Exact:  as winnow/video.h says.
// Memory: a source or sink belongs to the caller; `info()` lives as long as its source, and `write` keeps no
//         frame. The library is loaded once and never unloaded, so its functions live as long as the program.
// Thread: `video_functions()` from any thread; a source or sink belongs to one thread at a time.
//
// Only the room `video` includes FFmpeg. A shared libwinnow keeps that room in a second library beside
// itself, and opens the second library with the first video. FFmpeg brings some two hundred libraries;
// loading them takes longer than searching a picture. A static libwinnow contains the room.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <winnow/export.h>
#include <winnow/video.h>

namespace winnow {

class VideoSource {
 public:
  virtual ~VideoSource() = default;
  virtual const VideoInfo& info() const = 0;
  virtual bool next(VideoFrame& into) = 0;
  virtual std::int64_t broken() const = 0;
};

class VideoSink {
 public:
  virtual ~VideoSink() = default;
  virtual void write(RgbView frame, double time) = 0;
  virtual void finish(bool given_up) = 0;
};

// Both libraries must come from the same build. `stamp` differs between builds: cmake/dependencies.cmake
// makes WINNOW_VIDEO_STAMP.
struct VideoFunctions {
  std::uint64_t stamp;  // first in every version, so that each build can read the stamp of any other build
  std::unique_ptr<VideoSource> (*open)(const std::string& path, const VideoOptions& options);
  std::unique_ptr<VideoSink> (*create)(const std::string& path, const VideoInfo& info,
                                       const std::string& source);
};
extern "C" WINNOW_API const VideoFunctions* winnow_video_functions();

// The functions of this process, the same for every thread. Throws kUnsupported if the library cannot be
// loaded; the error names `path`. The next call then tries to load it again.
const VideoFunctions& video_functions(const std::string& path);

}  // namespace winnow
