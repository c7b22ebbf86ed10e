#include "video/ffmpeg.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern "C" {
#include <libavdevice/avdevice.h>
#include <libavutil/log.h>
}

namespace winnow {
namespace {

// Truncated files list many packets that do not exist. This limit ends a demuxer that makes no progress.
constexpr int kMaxBrokenInARow = 1 << 20;
constexpr std::chrono::milliseconds kDevicePause{2};
constexpr int kMaxDevicePauses = 5000;  // ten seconds in all

ErrorCode code_of(int status, ErrorCode otherwise) {
  switch (status) {
    case AVERROR_INVALIDDATA:
      return ErrorCode::kFormat;
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR_PATCHWELCOME:
    case AVERROR(ENOSYS):
      return ErrorCode::kUnsupported;
    case AVERROR(ENOMEM):
    case AVERROR(ENAMETOOLONG):
      return ErrorCode::kLimit;
    case AVERROR(EIO):
    case AVERROR(ENOSPC):
    case AVERROR(EDQUOT):
    case AVERROR(EFBIG):
    case AVERROR(ENODEV):
      return ErrorCode::kIo;
    default:
      return otherwise;
  }
}

// Some demuxers report an input error if a file ends in the middle of a packet, although reading the file did
// not fail.
bool is_early_end(int status, const AVIOContext* file) {
  return status == AVERROR(EIO) && file != nullptr && (file->error >= 0 || file->error == AVERROR_EOF);
}

}  // namespace

std::string ffmpeg_text(int status) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(status, text, sizeof text);
  return text;
}

Error ffmpeg_error(ErrorCode code, const std::string& sentence, int status, const std::string& file) {
  return Error(code_of(status, code), sentence + ": " + ffmpeg_text(status), file);
}

void prepare_ffmpeg() {
  static std::once_flag once;
  std::call_once(once, [] {
    av_log_set_level(AV_LOG_QUIET);
    avdevice_register_all();
  });
}

std::int64_t padded_pixels(std::int64_t max_pixels) {
  constexpr std::int64_t kMost = 0x7fffffff, kRoom = 1 << 20;
  return std::clamp<std::int64_t>(max_pixels, 1, kMost / 2 - kRoom) * 2 + kRoom;
}

bool is_video_device(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISCHR(about.st_mode);
}

int refuse_nested(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EACCES);
}

void find_streams(VideoInput& input, std::int64_t max_pixels) {
  std::vector<Dictionary> owned(input.format->nb_streams);
  std::vector<AVDictionary*> options;
  for (Dictionary& one : owned) {
    av_dict_set_int(&one.entries, "max_pixels", padded_pixels(max_pixels), 0);
    options.push_back(one.entries);
  }
  const int status =
      avformat_find_stream_info(input.format.get(), options.empty() ? nullptr : options.data());
  for (std::size_t i = 0; i < owned.size(); ++i)
    owned[i].entries = options[i];  // FFmpeg replaces the entries
  throw_if_late(input);
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "no video can be read from it", status, input.path);
}

VideoInput open_video_input(const std::string& path, std::int64_t max_pixels) {
  prepare_ffmpeg();
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    throw ffmpeg_error(ErrorCode::kIo, "cannot open", AVERROR(errno), path);
  if (S_ISDIR(about.st_mode)) throw Error(ErrorCode::kIo, "is a folder, not a file", path);

  VideoInput input;
  input.path = path;
  input.is_device = S_ISCHR(about.st_mode);
  AVFormatContext* format = allocated(avformat_alloc_context());
  input.format.reset(format);
  Dictionary options;
  const AVInputFormat* kind = nullptr;
  if (input.is_device) {
    kind = av_find_input_format("video4linux2");
    if (kind == nullptr)
      throw Error(ErrorCode::kUnsupported, "FFmpeg was built without cameras (v4l2)", path);
  } else {
    AVIOContext* file = nullptr;
    const int status = avio_open2(&file, ("file:" + path).c_str(), AVIO_FLAG_READ, nullptr, nullptr);
    if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot open", status, path);
    input.file.reset(file);
    format->pb = file;
    format->io_open = refuse_nested;
    // Formats that open files by themselves inherit this list of allowed protocols. No protocol is named
    // "none".
    av_dict_set(&options.entries, "protocol_whitelist", "none", 0);
  }
  // FFmpeg does not get the name of a file, so the bytes decide the format, and "%03d" in a name has no
  // meaning.
  format = input.format.release();  // avformat_open_input frees the context if it fails
  const int status =
      avformat_open_input(&format, input.is_device ? path.c_str() : nullptr, kind, &options.entries);
  input.format.reset(format);
  if (status < 0) {
    if (input.is_device) throw ffmpeg_error(ErrorCode::kIo, "gives no pictures", status, path);
    const int why = is_early_end(status, input.file.get()) ? AVERROR_INVALIDDATA : status;
    throw ffmpeg_error(ErrorCode::kFormat, "is not a video", why, path);
  }
  find_streams(input, max_pixels);
  return input;
}

bool read_packet(VideoInput& input, AVPacket* packet, std::int64_t& broken) {
  int broken_in_a_row = 0, pauses = 0;
  wait_again(input);
  for (;;) {
    const int status = av_read_frame(input.format.get(), packet);
    if (status >= 0) return true;
    throw_if_late(input);
    if (status == AVERROR_EOF) return false;
    if (status == AVERROR(EAGAIN)) {
      if (++pauses > kMaxDevicePauses) throw Error(ErrorCode::kIo, "gives no more pictures", input.path);
      std::this_thread::sleep_for(kDevicePause);
      continue;
    }
    if (is_early_end(status, input.file.get())) {
      ++broken;
      return false;
    }
    if (status != AVERROR_INVALIDDATA)
      throw ffmpeg_error(ErrorCode::kIo, "cannot read on", status, input.path);
    ++broken;
    if (++broken_in_a_row > kMaxBrokenInARow) {
      throw ffmpeg_error(ErrorCode::kFormat, "is broken beyond recovery", status, input.path);
    }
  }
}

}  // namespace winnow
