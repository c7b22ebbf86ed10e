#include "video/audio.h"

#include <winnow/video.h>

#include <algorithm>
#include <cstring>

extern "C" {
#include <libavutil/mathematics.h>
}

namespace winnow {
namespace {

bool is_matroska(const AVOutputFormat& format) { return std::strcmp(format.name, "matroska") == 0; }

// Whether a container can hold audio of this codec. Matroska has names of its own for some codecs. It takes
// other codecs by the numbers that .wav files use.
bool holds(const AVOutputFormat& format, AVCodecID codec) {
  if (avformat_query_codec(&format, codec, FF_COMPLIANCE_NORMAL) != 0) return true;
  const AVCodecTag* const numbers[] = {avformat_get_riff_audio_tags(), nullptr};
  return is_matroska(format) && av_codec_get_tag(numbers, codec) != 0;
}

}  // namespace

AudioCopy::AudioCopy(const std::string& source, AVFormatContext& output)
    : output_(output), packet_(allocated(av_packet_alloc())) {
  // The pictures are not decoded. The limit of pixels only bounds what FFmpeg decodes to find the streams.
  input_ = open_video_input(source, VideoOptions{}.max_pixels);
  const AVFormatContext& format = *input_.format;
  stream_of_.assign(format.nb_streams, -1);
  next_of_.assign(format.nb_streams, INT64_MIN);
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    AVStream* from = format.streams[i];
    // A stream that was cut off before its first packet has no rate, so it cannot be copied.
    if (from->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || from->codecpar->sample_rate <= 0) {
      from->discard = AVDISCARD_ALL;
      continue;
    }
    if (!holds(*output.oformat, from->codecpar->codec_id)) {
      throw Error(ErrorCode::kUnsupported,
                  std::string("its audio (") + avcodec_get_name(from->codecpar->codec_id) +
                      ") cannot be copied into " +
                      (is_matroska(*output.oformat) ? "any file that is written here"
                                                    : "this kind of file; write an .mkv instead"),
                  source);
    }
    AVStream* to = allocated(avformat_new_stream(&output, nullptr));
    const int status = avcodec_parameters_copy(to->codecpar, from->codecpar);
    if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "its audio cannot be copied", status, source);
    to->codecpar->codec_tag = 0;  // a tag of another container may be unknown in this one
    to->time_base = from->time_base;
    av_dict_copy(&to->metadata, from->metadata, 0);  // for instance the language
    to->disposition = from->disposition;
    stream_of_[i] = to->index;
    has_audio_ = true;
  }
  if (format.start_time != AV_NOPTS_VALUE) start_ = static_cast<double>(format.start_time) / AV_TIME_BASE;
}

bool AudioCopy::load() {
  if (loaded_) return true;
  while (!ended_) {
    if (!read_packet(input_, packet_.get(), broken_)) {
      ended_ = true;
      break;
    }
    // Streams that appear in the input only after its header are not copied.
    const auto index = static_cast<std::size_t>(packet_->stream_index);
    if (index < stream_of_.size() && stream_of_[index] >= 0) {
      const AVRational base = input_.format->streams[index]->time_base;
      const std::int64_t start = input_.format->start_time;
      const std::int64_t shift = start == AV_NOPTS_VALUE ? 0 : av_rescale_q(start, AV_TIME_BASE_Q, base);
      if (packet_->pts != AV_NOPTS_VALUE) packet_->pts -= shift;
      if (packet_->dts != AV_NOPTS_VALUE) packet_->dts -= shift;
      if (packet_->dts == AV_NOPTS_VALUE) packet_->dts = packet_->pts;
      return loaded_ = true;
    }
    av_packet_unref(packet_.get());
  }
  return false;
}

void AudioCopy::write() {
  const auto index = static_cast<std::size_t>(packet_->stream_index);
  const AVStream* to = output_.streams[stream_of_[index]];
  av_packet_rescale_ts(packet_.get(), input_.format->streams[index]->time_base, to->time_base);
  // Containers refuse times that decrease. Both rounding and broken inputs can cause such times.
  std::int64_t& next = next_of_[index];
  if (packet_->dts == AV_NOPTS_VALUE) packet_->dts = next == INT64_MIN ? 0 : next;
  packet_->dts = std::max(packet_->dts, next);
  if (packet_->pts == AV_NOPTS_VALUE || packet_->pts < packet_->dts) packet_->pts = packet_->dts;
  next = packet_->dts + 1;
  packet_->stream_index = to->index;
  packet_->pos = -1;
  loaded_ = false;
  const int status = av_interleaved_write_frame(&output_, packet_.get());
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "its audio cannot be copied", status, input_.path);
}

void AudioCopy::write_until(std::int64_t time, AVRational base) {
  while (has_audio_ && load()) {
    const AVRational own = input_.format->streams[packet_->stream_index]->time_base;
    if (packet_->dts != AV_NOPTS_VALUE && av_compare_ts(packet_->dts, own, time, base) >= 0) return;
    write();
  }
}

void AudioCopy::write_rest() {
  while (has_audio_ && load()) write();
}

}  // namespace winnow
