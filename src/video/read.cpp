// Reads a video or a camera as a source of frames, as video/functions.h declares; its opening comment holds
// here.
#include "video/functions.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "video/ffmpeg.h"
#include "video/frame.h"

namespace winnow {
namespace {

constexpr double kUsualRate = 25;  // frames per second, if neither the frames nor the file give a rate
constexpr int kMaxRefusedInARow = 1 << 20;

double rate_of(VideoInput& input, AVStream* stream) {
  const AVRational rate = av_guess_frame_rate(input.format.get(), stream, nullptr);
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

// One rounding. A product with `av_q2d` has two, and gives 1.4000000000000001 for 1.4.
double seconds_of(std::int64_t ticks, AVRational base) {
  return static_cast<double>(ticks) * base.num / base.den;
}

double duration_of(const VideoInput& input, const AVStream& stream) {
  if (input.is_device) return 0;
  if (stream.duration > 0) return seconds_of(stream.duration, stream.time_base);
  return input.format->duration > 0 ? static_cast<double>(input.format->duration) / AV_TIME_BASE : 0;
}

// The number of packets in the index that would lie behind the end of a truncated file. Demuxers skip these
// packets without an error.
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

// A file or a camera as a source of frames.
class FileSource final : public VideoSource {
 public:
  FileSource(const std::string& path, const VideoOptions& wanted);
  const VideoInfo& info() const override { return info_; }
  bool next(VideoFrame& into) override;
  std::int64_t broken() const override { return broken_; }

 private:
  void open_decoder();
  void describe();
  bool decode();          // decodes the next frame into `frame_`; false at the end
  void feed();            // passes one packet of the stream, or the end, to the decoder
  void refused(int why);  // counts a packet that the decoder refused
  void check_size(std::int64_t width, std::int64_t height) const;
  double time_of_frame();

  VideoOptions options_;
  VideoInput input_;
  VideoInfo info_;
  AVStream* stream_ = nullptr;
  const AVCodec* codec_ = nullptr;
  AvOwner<AVCodecContext> decoder_;
  AvOwner<AVPacket> packet_;
  AvOwner<AVFrame> frame_;
  FrameConverter converter_;
  std::int64_t index_ = 0, broken_ = 0;
  // The number of corrupt packets that the decoder took and has not refused. They may give damaged frames.
  std::int64_t cut_off_ = 0;
  int refused_in_a_row_ = 0, last_refusal_ = 0;
  bool primed_ = false;    // `frame_` holds a frame that was not delivered yet
  bool draining_ = false;  // the decoder knows that no packet follows
  // The last time in seconds that the file gave for a frame, and the index of that frame.
  double said_time_ = 0;
  std::int64_t said_index_ = 0;
};

FileSource::FileSource(const std::string& path, const VideoOptions& wanted)
    : options_(wanted), packet_(allocated(av_packet_alloc())), frame_(allocated(av_frame_alloc())) {
  if (options_.every < 1) throw Error(ErrorCode::kUsage, "every must be at least 1", path);
  input_ = options_.address.empty()
               ? open_video_input(path, options_.max_pixels)
               : open_video_address(path, options_.address, options_.stop, options_.max_pixels);
  const int best = av_find_best_stream(input_.format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec_, 0);
  if (best == AVERROR_DECODER_NOT_FOUND) {
    throw Error(ErrorCode::kUnsupported, "FFmpeg has no decoder for its video", path);
  }
  if (best < 0) throw Error(ErrorCode::kFormat, "holds no video", path);
  stream_ = input_.format->streams[best];
  if ((stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    throw Error(ErrorCode::kFormat, "holds no video, only a cover picture", path);
  }
  check_size(stream_->codecpar->width, stream_->codecpar->height);
  open_decoder();
  // The first frame is decoded at once. It gives the true size, and shows that the file has frames.
  primed_ = decode();
  if (!primed_) {
    throw Error(
        ErrorCode::kFormat,
        "none of its frames can be decoded" + (last_refusal_ < 0 ? ": " + ffmpeg_text(last_refusal_) : ""),
        path);
  }
  describe();
}

void FileSource::open_decoder() {
  decoder_.reset(allocated(avcodec_alloc_context3(codec_)));
  int status = avcodec_parameters_to_context(decoder_.get(), stream_->codecpar);
  if (status >= 0) {
    decoder_->pkt_timebase = stream_->time_base;
    decoder_->max_pixels = padded_pixels(options_.max_pixels);
    decoder_->thread_count = 0;
    status = avcodec_open2(decoder_.get(), codec_, nullptr);
  }
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "its video cannot be decoded", status, input_.path);
}

void FileSource::describe() {
  info_.size = upright_size(*frame_, quarter_turns_of(*frame_, *stream_));
  const AVRational shape = av_guess_sample_aspect_ratio(input_.format.get(), stream_, frame_.get());
  if (shape.num > 0 && shape.den > 0) {
    const bool swap = quarter_turns_of(*frame_, *stream_).swap;
    info_.pixel = swap ? Size{shape.den, shape.num} : Size{shape.num, shape.den};
  }
  info_.frames_per_second = rate_of(input_, stream_);
  info_.duration = duration_of(input_, *stream_);
  if (!input_.is_device && stream_->nb_frames > 0) {
    info_.frames = stream_->nb_frames;
  } else if (const double guess = std::round(info_.duration * info_.frames_per_second); guess < 1e15) {
    info_.frames = static_cast<std::int64_t>(guess);
  }
  for (unsigned i = 0; i < input_.format->nb_streams; ++i) {
    AVStream* other = input_.format->streams[i];
    if (other->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) info_.has_audio = true;
    if (other != stream_) other->discard = AVDISCARD_ALL;
  }
}

void FileSource::check_size(std::int64_t width, std::int64_t height) const {
  if (width <= 0 || height <= 0 || width <= options_.max_pixels / height) return;
  throw Error(ErrorCode::kLimit,
              "its frames of " + std::to_string(width) + " x " + std::to_string(height) +
                  " are larger than the " + std::to_string(options_.max_pixels) + " pixels allowed",
              input_.path);
}

void FileSource::refused(int why) {
  if (why == AVERROR(ENOMEM)) throw ffmpeg_error(ErrorCode::kLimit, "cannot be decoded", why, input_.path);
  last_refusal_ = why;
  // The decoder does not say which packet it refused. If `cut_off_` still counts corrupt packets, the refused
  // packet is taken for one of them. `broken_` already counts the corrupt packets.
  if (cut_off_ > 0) {
    --cut_off_;
  } else {
    ++broken_;
  }
  if (++refused_in_a_row_ > kMaxRefusedInARow) {
    throw ffmpeg_error(ErrorCode::kFormat, "is broken beyond recovery", why, input_.path);
  }
}

void FileSource::feed() {
  for (;;) {
    if (draining_) return;
    if (!read_packet(input_, packet_.get(), broken_)) {
      draining_ = true;
      broken_ += packets_behind_end(input_, stream_);
      avcodec_send_packet(decoder_.get(), nullptr);
      return;
    }
    if (packet_->stream_index == stream_->index) {
      if ((packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) {
        ++broken_;
        ++cut_off_;
      }
      const int status = avcodec_send_packet(decoder_.get(), packet_.get());
      av_packet_unref(packet_.get());
      if (status >= 0) return;
      refused(status);
    } else {
      av_packet_unref(packet_.get());
    }
  }
}

bool FileSource::decode() {
  for (;;) {
    const int status = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (status >= 0) {
      refused_in_a_row_ = 0;
      check_size(frame_->width, frame_->height);
      return true;
    }
    if (status == AVERROR_EOF || (status == AVERROR(EAGAIN) && draining_)) return false;
    if (status == AVERROR(EAGAIN)) {
      feed();
    } else {
      refused(status);
    }
  }
}

double FileSource::time_of_frame() {
  if (frame_->best_effort_timestamp != AV_NOPTS_VALUE) {
    said_time_ = seconds_of(frame_->best_effort_timestamp, stream_->time_base);
    said_index_ = index_;
    return said_time_;
  }
  const double rate = info_.frames_per_second > 0 ? info_.frames_per_second : kUsualRate;
  return said_time_ + static_cast<double>(index_ - said_index_) / rate;
}

bool FileSource::next(VideoFrame& into) {
  for (;;) {
    if (!std::exchange(primed_, false) && !decode()) return false;
    const double time = time_of_frame();
    const std::int64_t index = index_++;
    if (index % options_.every != 0) continue;
    try {
      converter_.convert(*frame_, quarter_turns_of(*frame_, *stream_), options_.color, into.picture);
    } catch (const Error& error) {
      throw Error(error.code(), error.sentence(), input_.path, "frame " + std::to_string(index));
    }
    into.index = index;
    into.time = time;
    return true;
  }
}

}  // namespace

std::unique_ptr<VideoSource> open_video(const std::string& path, const VideoOptions& options) {
  return std::make_unique<FileSource>(path, options);
}

}  // namespace winnow
