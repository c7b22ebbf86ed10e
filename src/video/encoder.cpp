#include "video/encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
}

namespace winnow {
namespace {

constexpr AVRational kFineTime{1, 90000};
constexpr AVRational kFineTimeMpeg4{1, 60000};  // MPEG-4 has 16 bits for ticks per second
constexpr double kUsualRate = 25;
constexpr int kQuantiser = 3;

AVRational rational_rate(double rate) {
  if (!(rate > 0)) rate = kUsualRate;
  return av_d2q(std::clamp(rate, 0.01, 1000.0), 60000);
}

AvOwner<AVFrame> make_frame(Size size, AVPixelFormat format) {
  AvOwner<AVFrame> frame(allocated(av_frame_alloc()));
  frame->width = size.width;
  frame->height = size.height;
  frame->format = format;
  const int status = av_frame_get_buffer(frame.get(), 0);
  if (status < 0) throw ffmpeg_error(ErrorCode::kLimit, "no memory for a frame", status, {});
  return frame;
}

}  // namespace

VideoEncoder::VideoEncoder(const EncoderNeeds& needs) {
  const AVCodec* codec = needs.x264 ? avcodec_find_encoder_by_name("libx264") : nullptr;
  const bool is_x264 = codec != nullptr;
  if (!is_x264) codec = avcodec_find_encoder(AV_CODEC_ID_MPEG4);
  if (codec == nullptr)
    throw Error(ErrorCode::kUnsupported, "FFmpeg has neither x264 nor its MPEG-4 encoder");

  const bool odd = needs.size.width % 2 != 0 || needs.size.height % 2 != 0;
  const AVPixelFormat format = is_x264 && odd ? AV_PIX_FMT_YUV444P : AV_PIX_FMT_YUV420P;
  context_.reset(allocated(avcodec_alloc_context3(codec)));
  AVCodecContext& c = *context_;
  c.width = needs.size.width;
  c.height = needs.size.height;
  c.pix_fmt = format;
  c.sample_aspect_ratio = needs.pixel;
  c.framerate = rational_rate(needs.frames_per_second);
  c.time_base = needs.constant_rate ? av_inv_q(c.framerate) : is_x264 ? kFineTime : kFineTimeMpeg4;
  c.colorspace = AVCOL_SPC_SMPTE170M;
  c.color_range = AVCOL_RANGE_MPEG;
  if (needs.headers_apart) c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  if (is_x264) {
    c.thread_count = 0;
    av_opt_set(c.priv_data, "preset", "veryfast", 0);
    av_opt_set(c.priv_data, "crf", "18", 0);
  } else {
    c.flags |= AV_CODEC_FLAG_QSCALE;
    c.global_quality = FF_QP2LAMBDA * kQuantiser;
  }
  if (needs.constant_rate) c.max_b_frames = 0;
  const int status = avcodec_open2(&c, codec, nullptr);
  if (status < 0) {
    throw ffmpeg_error(ErrorCode::kUnsupported,
                       std::string(codec->name) + " cannot encode frames of " + std::to_string(c.width) +
                           " x " + std::to_string(c.height),
                       status, {});
  }
  frame_duration_ = std::max<std::int64_t>(1, av_rescale_q(1, av_inv_q(c.framerate), c.time_base));

  rgb_ = make_frame(needs.size, AV_PIX_FMT_RGB24);
  frame_ = make_frame(needs.size, format);
  frame_->colorspace = c.colorspace;
  frame_->color_range = c.color_range;
  scaler_.reset(sws_getContext(c.width, c.height, AV_PIX_FMT_RGB24, c.width, c.height, format,
                               SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_BITEXACT, nullptr,
                               nullptr, nullptr));
  if (!scaler_) throw Error(ErrorCode::kUnsupported, "FFmpeg cannot convert RGB for the encoder");
  sws_setColorspaceDetails(scaler_.get(), sws_getCoefficients(SWS_CS_DEFAULT), 1,
                           sws_getCoefficients(SWS_CS_SMPTE170M), 0, 0, 1 << 16, 1 << 16);
}

void VideoEncoder::send(RgbView picture, std::int64_t ticks) {
  // The picture is copied into FFmpeg's memory first, because the scaler reads whole vectors, which may
  // extend beyond the end of a row.
  for (int y = 0; y < picture.height; ++y) {
    std::memcpy(rgb_->data[0] + static_cast<std::ptrdiff_t>(y) * rgb_->linesize[0], picture.row(y),
                static_cast<std::size_t>(picture.width) * sizeof(Rgb));
  }
  int status = av_frame_make_writable(frame_.get());  // the encoder may still hold the last frame's memory
  if (status >= 0) {
    status =
        sws_scale(scaler_.get(), rgb_->data, rgb_->linesize, 0, rgb_->height, frame_->data, frame_->linesize);
  }
  if (status >= 0) {
    frame_->pts = ticks;
    status = avcodec_send_frame(context_.get(), frame_.get());
  }
  if (status < 0) throw ffmpeg_error(ErrorCode::kUnsupported, "a frame cannot be encoded", status, {});
}

void VideoEncoder::send_end() {
  const int status = avcodec_send_frame(context_.get(), nullptr);
  if (status < 0) throw ffmpeg_error(ErrorCode::kUnsupported, "the video cannot be ended", status, {});
}

bool VideoEncoder::receive(AVPacket* packet) {
  const int status = avcodec_receive_packet(context_.get(), packet);
  if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return false;
  if (status < 0) throw ffmpeg_error(ErrorCode::kUnsupported, "a frame cannot be encoded", status, {});
  if (packet->duration <= 0) packet->duration = frame_duration_;
  return true;
}

}  // namespace winnow
