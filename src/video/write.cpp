// Writes a video as a sink of frames, as video/functions.h declares; its opening comment holds here.
#include "video/functions.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/unfinished_name.h"
#include "video/audio.h"
#include "video/encoder.h"
#include "video/ffmpeg.h"

namespace winnow {
namespace {

constexpr double kMaxSeconds = 1e9;

struct Container {
  const char* ending;
  const char* format;  // FFmpeg's name of the container
  bool constant_rate;
  bool x264;
};
constexpr Container kContainers[] = {
    {".mp4", "mp4", false, true}, {".mkv", "matroska", false, true}, {".avi", "avi", true, false}};

const Container& container_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  std::string ending = dot == std::string::npos ? "" : path.substr(dot);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Container& container : kContainers) {
    if (ending == container.ending) return container;
  }
  throw Error(ErrorCode::kUsage, "a video is written to a file that ends in .mp4, .mkv or .avi", path);
}

// The unfinished file. It is removed unless it was renamed to its final name.
struct UnfinishedFile {
  std::string name;
  bool exists = false;
  ~UnfinishedFile() {
    if (exists) ::unlink(name.c_str());
  }
};

class FileSink final : public VideoSink {
 public:
  FileSink(const std::string& path, const VideoInfo& info, const std::string& source);
  void write(RgbView frame, double time) override;
  void finish(bool given_up) override;

 private:
  void write_header();
  void write_packets();

  // Makes a call to the encoder, and adds the file's name to its errors. The encoder knows no file names.
  template <class Call>
  void named(Call call) const {
    try {
      call();
    } catch (const Error& error) {
      throw error.file().empty() ? error.in_file(path_) : error;
    }
  }

  std::string path_;
  Size size_;
  UnfinishedFile unfinished_;
  AvOwner<AVIOContext> file_;
  std::unique_ptr<AVFormatContext, OutputCloser> format_;
  std::optional<VideoEncoder> encoder_;
  std::optional<AudioCopy> audio_;
  AvOwner<AVPacket> packet_;
  AVStream* stream_ = nullptr;
  std::optional<double> origin_;
  std::optional<std::int64_t> last_ticks_;
  bool finished_ = false;
};

FileSink::FileSink(const std::string& path, const VideoInfo& info, const std::string& source)
    : path_(path), size_(info.size), packet_(allocated(av_packet_alloc())) {
  if (size_.width <= 0 || size_.height <= 0) throw Error(ErrorCode::kUsage, "a video needs a size", path_);
  if (info.pixel.width <= 0 || info.pixel.height <= 0)
    throw Error(ErrorCode::kUsage, "a video's pixels need a shape", path_);
  prepare_ffmpeg();
  const Container& container = container_of(path_);
  unfinished_.name = unfinished_name(path_);
  AVFormatContext* output = nullptr;
  const int status =
      avformat_alloc_output_context2(&output, nullptr, container.format, unfinished_.name.c_str());
  format_.reset(output);
  if (status < 0)
    throw ffmpeg_error(ErrorCode::kUnsupported, "FFmpeg cannot write this kind of file", status, path_);

  named([&] {
    encoder_.emplace(EncoderNeeds{size_,
                                  info.frames_per_second,
                                  {info.pixel.width, info.pixel.height},
                                  container.constant_rate,
                                  container.x264,
                                  (output->oformat->flags & AVFMT_GLOBALHEADER) != 0});
  });
  stream_ = allocated(avformat_new_stream(output, nullptr));
  stream_->time_base = encoder_->time_base();
  stream_->avg_frame_rate = encoder_->context().framerate;
  stream_->sample_aspect_ratio = encoder_->context().sample_aspect_ratio;
  if (const int copied = avcodec_parameters_from_context(stream_->codecpar, &encoder_->context());
      copied < 0) {
    throw ffmpeg_error(ErrorCode::kLimit, "cannot be written", copied, path_);
  }
  if (!source.empty() && !is_video_device(source)) {
    audio_.emplace(source, *output);
    if (audio_->has_audio()) origin_ = audio_->start();
  }
  write_header();
}

void FileSink::write_header() {
  AVIOContext* opened = nullptr;
  const auto open = [&] {
    return avio_open2(&opened, ("file:" + unfinished_.name).c_str(), AVIO_FLAG_WRITE, nullptr, nullptr);
  };
  int status = open();
  if (status == AVERROR(ENAMETOOLONG)) {
    unfinished_.name = short_unfinished_name(path_);
    status = open();
  }
  if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot write", status, path_);
  file_.reset(opened);
  unfinished_.exists = true;
  format_->pb = opened;
  status = avformat_write_header(format_.get(), nullptr);
  if (status < 0) throw ffmpeg_error(ErrorCode::kUnsupported, "cannot begin the file", status, path_);
}

void FileSink::write_packets() {
  for (;;) {
    bool got = false;
    named([&] { got = encoder_->receive(packet_.get()); });
    if (!got) return;
    if (audio_) audio_->write_until(packet_->dts, encoder_->time_base());
    av_packet_rescale_ts(packet_.get(), encoder_->time_base(), stream_->time_base);
    packet_->stream_index = stream_->index;
    // This call may also write an audio packet that has waited, and FFmpeg may refuse that packet. The status
    // says whether an error comes from the disk.
    const int status = av_interleaved_write_frame(format_.get(), packet_.get());
    if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "cannot write", status, path_);
  }
}

void FileSink::write(RgbView frame, double time) {
  if (finished_) throw Error(ErrorCode::kUsage, "is finished and takes no more frames", path_);
  if (frame.size() != size_) {
    throw Error(ErrorCode::kUsage,
                "a frame of " + std::to_string(frame.width) + " x " + std::to_string(frame.height) +
                    " cannot go into a video of " + std::to_string(size_.width) + " x " +
                    std::to_string(size_.height),
                path_);
  }
  if (frame.data == nullptr) throw Error(ErrorCode::kUsage, "a frame without pixels", path_);
  const double since = time - origin_.value_or(time);
  if (!(std::abs(since) <= kMaxSeconds))
    throw Error(ErrorCode::kUsage, "the time of a frame makes no sense", path_);
  if (!origin_) origin_ = time;
  std::int64_t ticks = std::llround(since / av_q2d(encoder_->time_base()));
  if (last_ticks_) ticks = std::max(ticks, *last_ticks_ + 1);
  named([&] { encoder_->send(frame, ticks); });
  last_ticks_ = ticks;
  write_packets();
}

void FileSink::finish(bool given_up) {
  if (finished_) return;
  if (!last_ticks_) throw Error(ErrorCode::kUsage, "a video needs at least one frame", path_);
  named([&] { encoder_->send_end(); });
  write_packets();
  if (audio_) {
    given_up ? audio_->write_until(*last_ticks_ + encoder_->frame_duration(), encoder_->time_base())
             : audio_->write_rest();
  }
  finished_ = true;  // from here on an error must not write the trailer again
  const int status = av_write_trailer(format_.get());
  format_->pb = nullptr;
  AVIOContext* file = file_.release();
  const int closed = avio_closep(&file);  // writes the last bytes, and reports a full disk
  if (closed < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot write", closed, path_);
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "cannot write", status, path_);
  if (std::rename(unfinished_.name.c_str(), path_.c_str()) != 0) {
    throw ffmpeg_error(ErrorCode::kIo, "cannot write", AVERROR(errno), path_);
  }
  unfinished_.exists = false;
}

}  // namespace

std::unique_ptr<VideoSink> create_video(const std::string& path, const VideoInfo& info,
                                        const std::string& source) {
  return std::make_unique<FileSink>(path, info, source);
}

}  // namespace winnow
