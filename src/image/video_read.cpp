#ifdef WINNOW_HAVE_VIDEO
#include <winnow/video.h>

#include <cmath>
#include <utility>

#include "image/video_ffmpeg.h"
#include "image/video_frame.h"

namespace winnow {
namespace {

constexpr double kUsualRate = 25;  // for times, where neither frames nor the file say anything
constexpr int kMaxRefusedInARow = 1 << 20;

double rate_of(VideoInput& input, AVStream* stream) {
  const AVRational rate = av_guess_frame_rate(input.format.get(), stream, nullptr);
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

double duration_of(const VideoInput& input, const AVStream& stream) {
  if (input.is_device) return 0;
  if (stream.duration > 0) return static_cast<double>(stream.duration) * av_q2d(stream.time_base);
  return input.format->duration > 0 ? static_cast<double>(input.format->duration) / AV_TIME_BASE : 0;
}

// Packets of which the index knows, but which lie behind the end of a truncated file: demuxers pass over
// them.
std::int64_t packets_behind_end(const VideoInput& input, AVStream* stream) {
  const std::int64_t size = input.file ? avio_size(input.file.get()) : -1;
  std::int64_t count = 0;
  const int entries = size < 0 ? 0 : avformat_index_get_entries_count(stream);
  for (int i = 0; i < entries; ++i) {
    const AVIndexEntry* entry = avformat_index_get_entry(stream, i);
    if (entry != nullptr && entry->pos >= size) ++count;
  }
  return count;
}

}  // namespace

bool video_supported() { return true; }

struct VideoReader::State {
  State(const std::string& path, const VideoOptions& wanted);
  void open_decoder();
  void describe();
  bool decode();          // the next frame into `frame`; false at the end
  void feed();            // one packet of the stream, or the end, to the decoder
  void refused(int why);  // by the decoder
  void check_size(std::int64_t width, std::int64_t height) const;
  double time_of_frame();

  VideoOptions options;
  VideoInput input;
  VideoInfo info;
  AVStream* stream = nullptr;
  const AVCodec* codec = nullptr;
  AvOwner<AVCodecContext> decoder;
  AvOwner<AVPacket> packet;
  AvOwner<AVFrame> frame;
  FrameConverter converter;
  std::int64_t index = 0, broken = 0;
  int refused_in_a_row = 0, last_refusal = 0;
  bool primed = false;    // `frame` holds a frame that was not delivered yet
  bool draining = false;  // the decoder knows that nothing follows
  // The last time that the file said, and of which frame.
  double said_time = 0;
  std::int64_t said_index = 0;
};

VideoReader::State::State(const std::string& path, const VideoOptions& wanted)
    : options(wanted), packet(allocated(av_packet_alloc())), frame(allocated(av_frame_alloc())) {
  if (options.every < 1) throw Error(ErrorCode::kUsage, "every must be at least 1", path);
  input = open_video_input(path, options.max_pixels);
  const int best = av_find_best_stream(input.format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (best == AVERROR_DECODER_NOT_FOUND) {
    throw Error(ErrorCode::kUnsupported, "FFmpeg has no decoder for its video", path);
  }
  if (best < 0) throw Error(ErrorCode::kFormat, "holds no video", path);
  stream = input.format->streams[best];
  if ((stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    throw Error(ErrorCode::kFormat, "holds no video, only a cover picture", path);
  }
  check_size(stream->codecpar->width, stream->codecpar->height);
  open_decoder();
  // The first frame is decoded at once: its size is the truth, and a file without any frame is no video.
  primed = decode();
  if (!primed) {
    throw Error(
        ErrorCode::kFormat,
        "none of its frames can be decoded" + (last_refusal < 0 ? ": " + ffmpeg_text(last_refusal) : ""),
        path);
  }
  describe();
}

void VideoReader::State::open_decoder() {
  decoder.reset(allocated(avcodec_alloc_context3(codec)));
  int status = avcodec_parameters_to_context(decoder.get(), stream->codecpar);
  if (status >= 0) {
    decoder->pkt_timebase = stream->time_base;
    decoder->max_pixels = padded_pixels(options.max_pixels);
    decoder->thread_count = 0;
    status = avcodec_open2(decoder.get(), codec, nullptr);
  }
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "its video cannot be decoded", status, input.path);
}

void VideoReader::State::describe() {
  info.size = upright_size(*frame, turn_of(*frame, *stream));
  info.frames_per_second = rate_of(input, stream);
  info.duration = duration_of(input, *stream);
  if (!input.is_device && stream->nb_frames > 0) {
    info.frames = stream->nb_frames;
  } else if (const double guess = std::round(info.duration * info.frames_per_second); guess < 1e15) {
    info.frames = static_cast<std::int64_t>(guess);
  }
  for (unsigned i = 0; i < input.format->nb_streams; ++i) {
    AVStream* other = input.format->streams[i];
    if (other->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) info.has_audio = true;
    if (other != stream) other->discard = AVDISCARD_ALL;
  }
}

void VideoReader::State::check_size(std::int64_t width, std::int64_t height) const {
  if (width <= 0 || height <= 0 || width <= options.max_pixels / height) return;
  throw Error(ErrorCode::kLimit,
              "its frames of " + std::to_string(width) + " x " + std::to_string(height) +
                  " are larger than the " + std::to_string(options.max_pixels) + " pixels allowed",
              input.path);
}

void VideoReader::State::refused(int why) {
  if (why == AVERROR(ENOMEM)) throw ffmpeg_error(ErrorCode::kLimit, "cannot be decoded", why, input.path);
  last_refusal = why;
  ++broken;
  if (++refused_in_a_row > kMaxRefusedInARow) {
    throw ffmpeg_error(ErrorCode::kFormat, "is broken beyond recovery", why, input.path);
  }
}

void VideoReader::State::feed() {
  for (;;) {
    if (draining) return;
    if (!read_packet(input, packet.get(), broken)) {
      draining = true;
      broken += packets_behind_end(input, stream);
      avcodec_send_packet(decoder.get(), nullptr);
      return;
    }
    if (packet->stream_index == stream->index) {
      if ((packet->flags & AV_PKT_FLAG_CORRUPT) != 0)
        ++broken;  // cut off; some of it may decode all the same
      const int status = avcodec_send_packet(decoder.get(), packet.get());
      av_packet_unref(packet.get());
      if (status >= 0) return;
      refused(status);
    } else {
      av_packet_unref(packet.get());
    }
  }
}

bool VideoReader::State::decode() {
  for (;;) {
    const int status = avcodec_receive_frame(decoder.get(), frame.get());
    if (status >= 0) {
      refused_in_a_row = 0;
      check_size(frame->width, frame->height);
      return true;
    }
    if (status == AVERROR_EOF || (status == AVERROR(EAGAIN) && draining)) return false;
    if (status == AVERROR(EAGAIN)) {
      feed();
    } else {
      refused(status);
    }
  }
}

double VideoReader::State::time_of_frame() {
  if (frame->best_effort_timestamp != AV_NOPTS_VALUE) {
    said_time = static_cast<double>(frame->best_effort_timestamp) * av_q2d(stream->time_base);
    said_index = index;
    return said_time;
  }
  const double rate = info.frames_per_second > 0 ? info.frames_per_second : kUsualRate;
  return said_time + static_cast<double>(index - said_index) / rate;
}

VideoReader::VideoReader(const std::string& path, const VideoOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

const VideoInfo& VideoReader::info() const { return state_->info; }
std::int64_t VideoReader::broken() const { return state_->broken; }

bool VideoReader::next(VideoFrame& frame) {
  State& s = *state_;
  for (;;) {
    if (!std::exchange(s.primed, false) && !s.decode()) return false;
    const double time = s.time_of_frame();
    const std::int64_t index = s.index++;
    if (index % s.options.every != 0) continue;
    try {
      s.converter.convert(*s.frame, turn_of(*s.frame, *s.stream), s.options.color, frame.picture);
    } catch (const Error& error) {
      throw Error(error.code(), error.sentence(), s.input.path, "frame " + std::to_string(index));
    }
    frame.index = index;
    frame.time = time;
    return true;
  }
}

}  // namespace winnow
#endif
