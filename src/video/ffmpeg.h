// Gives FFmpeg's objects owners that close them, makes `Error`s of FFmpeg's error codes, and opens inputs.
//
// In:     a path, which is never read as a protocol or a pattern; or an address, if the caller says so.
// Out:    an open input: one file, device or address and nothing else. Playlists and "concat" scripts may
//         not open further files or addresses, because the file is not trusted.
// Memory: owners free their objects.
// Thread: one thread at a time for an input.
//
// The first use switches off FFmpeg's own log for the whole process. An `Error` has FFmpeg's message in its
// sentence. No other room includes this file.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

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

// Ends FFmpeg's waiting for an address.
struct Patience {
  std::stop_token stop;
  std::chrono::steady_clock::time_point end;
};

struct VideoInput {
  std::string path;
  bool is_device = false;
  std::unique_ptr<Patience> patience;  // null for a file or a device; FFmpeg asks it until both below end
  AvOwner<AVIOContext> file;           // null for a device
  std::unique_ptr<AVFormatContext, InputCloser> format;
};

struct Dictionary {
  AVDictionary* entries = nullptr;
  Dictionary() = default;
  Dictionary(Dictionary&& other) noexcept : entries(std::exchange(other.entries, nullptr)) {}
  Dictionary& operator=(Dictionary&&) = delete;
  ~Dictionary() { av_dict_free(&entries); }
};
// An `io_open` that opens nothing.
int refuse_nested(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**);

// Silences the log and registers devices, once.
void prepare_ffmpeg();
bool is_video_device(const std::string& path);
// `max_pixels` limits what FFmpeg decodes while it examines the streams.
VideoInput open_video_input(const std::string& path, std::int64_t max_pixels);
// Opens what `address` gives. Errors name `path`. A playlist or description may not open anything further.
VideoInput open_video_address(const std::string& path, const std::string& address, std::stop_token stop,
                              std::int64_t max_pixels);
// Begins to wait anew.
void wait_again(const VideoInput& input);
// Throws kIo if the address gave nothing for too long, or waiting was stopped.
void throw_if_late(const VideoInput& input);
void find_streams(VideoInput& input, std::int64_t max_pixels);
// Reads the next packet of any stream; false at the end. A packet that cannot be read adds one to `broken`
// and is skipped. More than 2^20 such packets in a row are an error.
bool read_packet(VideoInput& input, AVPacket* packet, std::int64_t& broken);
// The limit to give FFmpeg, which also counts padding. The exact limit is checked on the decoded frame.
std::int64_t padded_pixels(std::int64_t max_pixels);

}  // namespace winnow
