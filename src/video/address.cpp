// Opens an address of the network as an input, as video/ffmpeg.h declares; its opening comment holds here.
#include <netdb.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "video/ffmpeg.h"

namespace winnow {
namespace {

constexpr std::chrono::seconds kPatience{10};

int is_late(void* patience) {
  const auto& waiting = *static_cast<const Patience*>(patience);
  return waiting.stop.stop_requested() || std::chrono::steady_clock::now() >= waiting.end ? 1 : 0;
}

// Throws if FFmpeg failed because nothing is known about the host. FFmpeg itself then tells of an input/output
// error. A proxy may know more hosts than this machine.
void throw_if_unknown_host(const std::string& address, int status, const std::string& path) {
  if (status != AVERROR(EIO) || std::getenv("http_proxy") != nullptr) return;
  std::array<char, 1024> host{};
  av_url_split(nullptr, 0, nullptr, 0, host.data(), static_cast<int>(host.size()), nullptr, nullptr, 0,
               address.c_str());
  addrinfo* found = nullptr;
  const int why = ::getaddrinfo(host.data(), nullptr, nullptr, &found);
  if (why == 0) return ::freeaddrinfo(found);
  throw Error(ErrorCode::kIo,
              "the host " + std::string(host.data()) + " was not found (" + ::gai_strerror(why) +
                  "); check the address and the network",
              path);
}

// Whether the bytes that come next begin a page of HTML.
bool gives_web_page(AVIOContext* file) {
  std::string bytes(512, '\0');
  const int size =
      avio_read(file, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max(size, 0)));
  for (char& c : bytes) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return bytes.find("<html") != std::string::npos || bytes.find("<!doctype html") != std::string::npos;
}

// FFmpeg's format "rtsp" opens its own connections. It may use no other protocols.
VideoInput open_rtsp(VideoInput input, const std::string& address) {
  const AVInputFormat* kind = av_find_input_format("rtsp");
  if (kind == nullptr) throw Error(ErrorCode::kUnsupported, "FFmpeg was built without RTSP", input.path);
  Dictionary options;
  av_dict_set(&options.entries, "protocol_whitelist", "rtp,udp,tcp", 0);
  av_dict_set(&options.entries, "rtsp_flags", "prefer_tcp", 0);
  input.format->io_open = refuse_nested;
  AVFormatContext* format = input.format.release();  // avformat_open_input frees the context if it fails
  const int status = avformat_open_input(&format, address.c_str(), kind, &options.entries);
  input.format.reset(format);
  throw_if_late(input);
  throw_if_unknown_host(address, status, input.path);
  if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot be opened", status, input.path);
  return input;
}

// The bytes come from one connection, and decide the format. A format opens nothing by itself.
VideoInput open_http(VideoInput input, const std::string& address) {
  Dictionary connecting, options;
  av_dict_set(&connecting.entries, "protocol_whitelist", "http,https,httpproxy,tls,tcp", 0);
  AVIOContext* file = nullptr;
  int status = avio_open2(&file, address.c_str(), AVIO_FLAG_READ, &input.format->interrupt_callback,
                          &connecting.entries);
  throw_if_late(input);
  throw_if_unknown_host(address, status, input.path);
  if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot be opened", status, input.path);
  input.file.reset(file);
  input.format->pb = file;
  input.format->flags |= AVFMT_FLAG_CUSTOM_IO;  // else an early close of the format also closes `file`
  input.format->io_open = refuse_nested;
  wait_again(input);
  const AVInputFormat* kind = nullptr;
  status = av_probe_input_buffer2(file, &kind, "", nullptr, 0, 0);
  throw_if_late(input);
  // The bytes that were examined are given once more.
  if (status < 0 && gives_web_page(file)) {
    throw Error(ErrorCode::kFormat,
                "is a web page, not a video; give the address of the video or the camera's stream itself",
                input.path);
  }
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "is not a video", status, input.path);
  const std::string_view name = kind->name;
  if (name == "hls" || name == "concat" || name == "dash" || name == "sdp") {
    throw Error(ErrorCode::kUnsupported,
                "is a playlist (" + std::string(name) +
                    "), which Winnow does not read; let ffmpeg read it: ffmpeg -i ADDRESS -f image2pipe "
                    "-c:v mjpeg - | winnow detect -",
                input.path);
  }
  av_dict_set(&options.entries, "protocol_whitelist", "none", 0);  // as for files
  wait_again(input);
  AVFormatContext* format = input.format.release();
  status = avformat_open_input(&format, nullptr, kind, &options.entries);
  input.format.reset(format);
  throw_if_late(input);
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "is not a video", status, input.path);
  return input;
}

}  // namespace

void wait_again(const VideoInput& input) {
  if (input.patience) input.patience->end = std::chrono::steady_clock::now() + kPatience;
}

void throw_if_late(const VideoInput& input) {
  if (!input.patience || is_late(input.patience.get()) == 0) return;
  const bool stopped = input.patience->stop.stop_requested();
  throw Error(ErrorCode::kIo,
              stopped ? "stopped"
                      : "gave nothing for " + std::to_string(kPatience.count()) +
                            " seconds; check that the address is right and the camera or server runs",
              input.path);
}

VideoInput open_video_address(const std::string& path, const std::string& address, std::stop_token stop,
                              std::int64_t max_pixels) {
  prepare_ffmpeg();
  const bool rtsp = address.starts_with("rtsp://");
  if (!rtsp && !address.starts_with("http://") && !address.starts_with("https://"))
    throw Error(ErrorCode::kUsage, "an address begins with rtsp://, http:// or https://", path);
  VideoInput input;
  input.path = path;
  input.patience = std::make_unique<Patience>(Patience{std::move(stop), {}});
  input.format.reset(allocated(avformat_alloc_context()));
  input.format->interrupt_callback = {is_late, input.patience.get()};
  wait_again(input);
  input = rtsp ? open_rtsp(std::move(input), address) : open_http(std::move(input), address);
  wait_again(input);
  find_streams(input, max_pixels);
  return input;
}

}  // namespace winnow
