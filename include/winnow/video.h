// Videos and cameras through FFmpeg, which a shared libwinnow loads with the first video (or the first call
// of `video_supported()`), from a library of its own beside it. Where that or FFmpeg is missing, or was
// missing at build time, `video_supported()` is false and opening throws kUnsupported, which says why.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <winnow/export.h>
#include <winnow/image.h>

namespace winnow {

WINNOW_API bool video_supported();

struct VideoInfo {
  Size size;                     // upright (display matrix honoured)
  double frames_per_second = 0;  // 0 if the container does not say
  std::int64_t frames = 0;       // an estimate; 0 if unknown
  double duration = 0;           // seconds; 0 if unknown
  bool has_audio = false;
  Size pixel{1, 1};  // the shape of one, upright: 2 x 1 is twice as wide as high
};

struct VideoFrame {
  Picture picture;
  std::int64_t index = 0;  // counts every frame of the video from 0
  double time = 0;         // presentation time in seconds, the first frame's being what the file says
};

struct VideoOptions {
  bool color = false;
  int every = 1;  // deliver frames 0, every, 2 * every, ...
  std::int64_t max_pixels = 1LL << 28;
};

// A file, or a camera device such as /dev/video0.
class WINNOW_API VideoReader {
 public:
  explicit VideoReader(const std::string& path, const VideoOptions& options = {});
  ~VideoReader();
  VideoReader(VideoReader&&) noexcept;
  VideoReader& operator=(VideoReader&&) noexcept;
  const VideoInfo& info() const;
  // False at the end; an Error where the stream is broken beyond recovery. Give the same `frame` again: its
  // memory is reused.
  bool next(VideoFrame& frame);
  // Packets so far that could not be read or decoded; each may be a missing frame. What FFmpeg says: of some
  // files (Matroska) that are cut off it says nothing.
  std::int64_t broken() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes frames of `info.size` to `path` (the container follows the ending: .mp4, .mkv or .avi), and the
// audio of `source`, copied as it is. Time 0 of the new file is the beginning of `source` if that has audio,
// else the first frame; a time that does not grow is moved to the next tick. The file appears under its name
// when it is finished, and nothing is left of it if it is not.
class WINNOW_API VideoWriter {
 public:
  VideoWriter(const std::string& path, const VideoInfo& info, const std::string& source = {});
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;
  void write(RgbView frame, double time);
  // Flushes, closes and puts the file in its place; a second call does nothing. Audio goes on to its own end,
  // or, where writing was given up, as far as the frames do.
  void finish(bool given_up = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
