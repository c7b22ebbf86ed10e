// Gives FFmpeg's objects owners that close them, makes `Error`s of FFmpeg's error codes, and opens inputs.
//
// In:     a path. It is never read as a protocol or a pattern.
// Out:    an open input: one file or one device and nothing else. Playlists and "concat" scripts may not open
//         further files or addresses, because the file is not trusted.
// Memory: owners free their objects.
// Thread: one thread at a time for an input.
//
// The first use switches off FFmpeg's own log for the whole process. An `Error` has FFmpeg's message in its
// sentence. No other room includes this file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <winnow/error.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

namespace winnow {

struct AvCloser {
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(AVIOContext* p) const { avio_closep(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
};
struct InputCloser {
  void operator()(AVFormatContext* p) const { avformat_close_input(&p); }
};
struct OutputCloser {
  void operator()(AVFormatContext* p) const { avformat_free_context(p); }
};
template <class T>
using AvOwner = std::unique_ptr<T, AvCloser>;

// Throws kLimit if FFmpeg had no memory.
template <class T>
T* allocated(T* p) {
  if (p == nullptr) throw Error(ErrorCode::kLimit, "not enough memory for the video");
  return p;
}

// An error that says "<sentence>: <FFmpeg's words for the status>". Its code is `code`, unless the status has
// a better code.
Error ffmpeg_error(ErrorCode code, const std::string& sentence, int status, const std::string& file);
std::string ffmpeg_text(int status);

struct VideoInput {
  std::string path;
  bool is_device = false;
  AvOwner<AVIOContext> file;  // null for a device
  std::unique_ptr<AVFormatContext, InputCloser> format;
};

// Silences the log and registers devices, once.
void prepare_ffmpeg();
bool is_video_device(const std::string& path);
// `max_pixels` limits what FFmpeg decodes while it examines the streams.
VideoInput open_video_input(const std::string& path, std::int64_t max_pixels);
// Reads the next packet of any stream; false at the end. A packet that cannot be read adds one to `broken`
// and is skipped. More than 2^20 such packets in a row are an error.
bool read_packet(VideoInput& input, AVPacket* packet, std::int64_t& broken);
// The limit to give FFmpeg, which also counts padding. The exact limit is checked on the decoded frame.
std::int64_t padded_pixels(std::int64_t max_pixels);

}  // namespace winnow
