#ifdef WINNOW_HAVE_VIDEO
#include <unistd.h>

#include <winnow/video.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "image/video_audio.h"
#include "image/video_encoder.h"
#include "image/video_ffmpeg.h"

namespace winnow {
namespace {

constexpr double kMaxSeconds = 1e9;

struct Container {
  const char* ending;
  const char* format;  // as FFmpeg calls it
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

// The unfinished file, taken away again unless it was put in its place.
struct PartFile {
  std::string name;
  bool exists = false;
  ~PartFile() {
    if (exists) ::unlink(name.c_str());
  }
};

}  // namespace

struct VideoWriter::State {
  State(std::string file, const VideoInfo& info, const std::string& source);
  void write_header();
  void write_packets();

  // Calls the encoder, which knows no file names.
  template <class Call>
  void named(Call call) const {
    try {
      call();
    } catch (const Error& error) {
      throw error.file().empty() ? error.in_file(path) : error;
    }
  }

  std::string path;
  Size size;
  PartFile part;
  AvOwner<AVIOContext> file;
  std::unique_ptr<AVFormatContext, OutputCloser> format;
  std::optional<VideoEncoder> encoder;
  std::optional<AudioCopy> audio;
  AvOwner<AVPacket> packet;
  AVStream* stream = nullptr;
  std::optional<double> origin;
  std::optional<std::int64_t> last_ticks;
  bool finished = false;
};

VideoWriter::State::State(std::string file_path, const VideoInfo& info, const std::string& source)
    : path(std::move(file_path)), size(info.size), packet(allocated(av_packet_alloc())) {
  if (size.width <= 0 || size.height <= 0) throw Error(ErrorCode::kUsage, "a video needs a size", path);
  prepare_ffmpeg();
  const Container& container = container_of(path);
  part.name = path + ".part";
  AVFormatContext* output = nullptr;
  const int status = avformat_alloc_output_context2(&output, nullptr, container.format, part.name.c_str());
  format.reset(output);
  if (status < 0)
    throw ffmpeg_error(ErrorCode::kUnsupported, "FFmpeg cannot write this kind of file", status, path);

  named([&] {
    encoder.emplace(EncoderNeeds{size, info.frames_per_second, container.constant_rate, container.x264,
                                 (output->oformat->flags & AVFMT_GLOBALHEADER) != 0});
  });
  stream = allocated(avformat_new_stream(output, nullptr));
  stream->time_base = encoder->time_base();
  stream->avg_frame_rate = encoder->context().framerate;
  stream->sample_aspect_ratio = {1, 1};
  if (const int copied = avcodec_parameters_from_context(stream->codecpar, &encoder->context()); copied < 0) {
    throw ffmpeg_error(ErrorCode::kLimit, "cannot be written", copied, path);
  }
  if (!source.empty() && !is_video_device(source)) {
    audio.emplace(source, *output);
    if (audio->has_audio()) origin = audio->start();
  }
  write_header();
}

void VideoWriter::State::write_header() {
  AVIOContext* opened = nullptr;
  int status = avio_open2(&opened, ("file:" + part.name).c_str(), AVIO_FLAG_WRITE, nullptr, nullptr);
  if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot write", status, path);
  file.reset(opened);
  part.exists = true;
  format->pb = opened;
  status = avformat_write_header(format.get(), nullptr);
  if (status < 0) throw ffmpeg_error(ErrorCode::kUnsupported, "cannot begin the file", status, path);
}

void VideoWriter::State::write_packets() {
  for (;;) {
    bool got = false;
    named([&] { got = encoder->receive(packet.get()); });
    if (!got) return;
    if (audio) audio->write_until(packet->dts, encoder->time_base());
    av_packet_rescale_ts(packet.get(), encoder->time_base(), stream->time_base);
    packet->stream_index = stream->index;
    const int status = av_interleaved_write_frame(format.get(), packet.get());
    if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot write", status, path);
  }
}

VideoWriter::VideoWriter(const std::string& path, const VideoInfo& info, const std::string& source)
    : state_(std::make_unique<State>(path, info, source)) {}
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;

void VideoWriter::write(RgbView frame, double time) {
  State& s = *state_;
  if (s.finished) throw Error(ErrorCode::kUsage, "is finished and takes no more frames", s.path);
  if (frame.size() != s.size) {
    throw Error(ErrorCode::kUsage,
                "a frame of " + std::to_string(frame.width) + " x " + std::to_string(frame.height) +
                    " cannot go into a video of " + std::to_string(s.size.width) + " x " +
                    std::to_string(s.size.height),
                s.path);
  }
  const double since = time - s.origin.value_or(time);
  if (!(std::abs(since) <= kMaxSeconds))
    throw Error(ErrorCode::kUsage, "the time of a frame makes no sense", s.path);
  if (!s.origin) s.origin = time;
  std::int64_t ticks = std::llround(since / av_q2d(s.encoder->time_base()));
  if (s.last_ticks) ticks = std::max(ticks, *s.last_ticks + 1);
  s.named([&] { s.encoder->send(frame, ticks); });
  s.last_ticks = ticks;
  s.write_packets();
}

void VideoWriter::finish() {
  State& s = *state_;
  if (s.finished) return;
  if (!s.last_ticks) throw Error(ErrorCode::kUsage, "a video needs at least one frame", s.path);
  s.named([&] { s.encoder->send_end(); });
  s.write_packets();
  if (s.audio) s.audio->write_rest();
  s.finished = true;  // whatever comes now, the trailer is written once
  int status = av_write_trailer(s.format.get());
  s.format->pb = nullptr;
  AVIOContext* file = s.file.release();
  const int closed = avio_closep(&file);  // the last bytes are written here, and a full disk is found
  if (status >= 0) status = closed;
  if (status < 0) throw ffmpeg_error(ErrorCode::kIo, "cannot write", status, s.path);
  if (std::rename(s.part.name.c_str(), s.path.c_str()) != 0) {
    throw ffmpeg_error(ErrorCode::kIo, "cannot write", AVERROR(errno), s.path);
  }
  s.part.exists = false;
}

}  // namespace winnow
#endif
