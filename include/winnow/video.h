// Reads videos and cameras, and writes videos, through FFmpeg.
//
// In:     the path of a file or camera; for writing, RGB frames with their times.
// Out:    upright frames with their times, or a finished video file. `Error` if reading or writing fails.
// Exact:  a frame's grey is `to_gray` of its RGB, or the plane of a grey video. One build of FFmpeg
//         converts to the same RGB on every processor. Written frames are compressed with loss.
// Memory: readers and writers own their buffers; `info()` lives as long as its reader. `next` reuses the
//         memory of the frame that it fills. `write` reads the frame only during the call.
// Thread: a reader or writer belongs to one thread at a time.
//
// A shared libwinnow has its video code in a second library, which uses FFmpeg. libwinnow loads this library
// with the first video, or in the first call of `video_supported()`. If the library or FFmpeg is missing, or
// FFmpeg was missing at build time, `video_supported()` is false. Opening then throws kUnsupported with the
// reason.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include <winnow/export.h>
#include <winnow/image.h>

namespace winnow {

WINNOW_API bool video_supported();

struct VideoInfo {
  Size size;                     // size of the first frame, upright: the display matrix is applied
  double frames_per_second = 0;  // 0 if the container does not say
  std::int64_t frames = 0;       // an estimate; 0 if unknown
  double duration = 0;           // seconds; 0 if unknown
  bool has_audio = false;
  Size pixel{1, 1};  // the shape of one pixel, upright: 2 x 1 is twice as wide as high
};

struct VideoFrame {
  Picture picture;         // may change its size in mid-stream
  std::int64_t index = 0;  // the frame's number among all decoded frames of the video, from 0
  // Presentation time in seconds. The first frame has the time that the file gives. If the file gives no time
  // for a frame, the time follows from the previous frame's time and the video's rate.
  double time = 0;
};

struct VideoOptions {
  bool color = false;
  int every = 1;                        // deliver frames 0, every, 2 * every, ...; below 1 is a kUsage error
  std::int64_t max_pixels = 1LL << 28;  // a larger frame is a kLimit error
  // An address (rtsp, http, https) that is opened in place of the path. Errors name the path alone.
  std::string address = {};
  std::stop_token stop = {};  // ends the waiting for an address
};

// Reads a file, or a camera device such as /dev/video0, or the address that the options give. An address may
// open nothing else. One that gives nothing for 10 seconds is a kIo error.
class WINNOW_API VideoReader {
 public:
  explicit VideoReader(const std::string& path, const VideoOptions& options = {});
  ~VideoReader();
  VideoReader(VideoReader&&) noexcept;
  VideoReader& operator=(VideoReader&&) noexcept;
  const VideoInfo& info() const;
  // False at the end. Throws if the stream is broken beyond recovery. Pass the same `frame` again, so that
  // its memory is reused.
  bool next(VideoFrame& frame);
  // The number of packets so far that could not be read or decoded; each may be a missing frame. FFmpeg
  // reports none for some files that are cut off (Matroska).
  std::int64_t broken() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes frames of `info.size` to `path`, and the audio of `source` unchanged.
// - The ending of `path` gives the container: .mp4, .mkv or .avi. Any other ending is a kUsage error.
// - `info` gives size, rate (0: unknown) and pixel shape; the writer ignores its other members.
// - An empty `source`, or a camera, gives no audio. Audio that the container cannot hold is kUnsupported.
// - Time 0 of the new file is the beginning of `source` if `source` has audio, else the first frame. Frames
//   keep the times that a reader of `source` gives.
// - A time that is not above the previous frame's time is raised to the next tick of the video's clock.
// - The file appears under its name only when it is finished. It then replaces a file of that name, which may
//   be `source`. A file that is never finished leaves nothing behind.
class WINNOW_API VideoWriter {
 public:
  VideoWriter(const std::string& path, const VideoInfo& info, const std::string& source = {});
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;
  // `time` is in seconds. A frame of another size than `info.size`, or after `finish`, is a kUsage error.
  void write(RgbView frame, double time);
  // Flushes, closes and puts the file in its place. A second call does nothing. All audio is copied, or with
  // `given_up` only the audio up to the last frame. kUsage if no frame was written.
  void finish(bool given_up = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
