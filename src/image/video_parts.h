// What is behind `VideoReader` and `VideoWriter`. All that knows FFmpeg is the room `video`, which a shared
// libwinnow has as a library of its own beside it and opens with the first video: what FFmpeg brings are some
// two hundred libraries, and a program that loads them begins later than it could have searched a picture. A
// static libwinnow has the room inside.
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

// What both sides of the opening must have in common (cmake/dependencies.cmake), as a number.
#ifdef WINNOW_VIDEO_STAMP
inline constexpr std::uint64_t kVideoStamp = WINNOW_VIDEO_STAMP;
#else
inline constexpr std::uint64_t kVideoStamp = 0;  // nothing is opened
#endif

struct VideoParts {
  std::uint64_t stamp;  // first for ever, so that each build can read any other's
  std::unique_ptr<VideoSource> (*open)(const std::string& path, const VideoOptions& options);
  std::unique_ptr<VideoSink> (*create)(const std::string& path, const VideoInfo& info,
                                       const std::string& source);
};
extern "C" WINNOW_API const VideoParts* winnow_video_parts();

// Of this process, the same from any thread. kUnsupported if there are none, which is said of `path`.
const VideoParts& video_parts(const std::string& path);

}  // namespace winnow
