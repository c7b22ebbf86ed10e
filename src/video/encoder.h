// RGB pictures in, compressed packets out.
//
// H.264 through x264 where FFmpeg has it (quality 18), else MPEG-4 part 2 (quantiser 3), which .avi always
// gets: that container knows no reordered frames and no times but multiples of the frame rate. Colours are
// written by Rec. 601 in the narrow range, and say so. 4:2:0, but 4:4:4 for an odd width or height in H.264,
// whose 4:2:0 needs even ones. Cost: one pass of FFmpeg's scaler and the encoder itself; two frames of memory
// beside the encoder's own.
#pragma once

#include <cstdint>

#include <winnow/image.h>

#include "video/ffmpeg.h"

namespace winnow {

struct EncoderNeeds {
  Size size;
  double frames_per_second = 0;  // 0 if unknown; rules the rate of .avi, a hint for the others
  AVRational pixel{1, 1};        // its width to its height
  bool constant_rate = false;    // .avi: the time base is one frame
  bool x264 = true;              // if FFmpeg has it
  bool headers_apart = false;    // the container wants them in its own header
};

class VideoEncoder {
 public:
  explicit VideoEncoder(const EncoderNeeds& needs);

  const AVCodecContext& context() const { return *context_; }
  AVRational time_base() const { return context_->time_base; }
  std::int64_t frame_duration() const { return frame_duration_; }  // the usual one, in `time_base`
  // `ticks` must grow from call to call.
  void send(RgbView picture, std::int64_t ticks);
  void send_end();
  bool receive(AVPacket* packet);  // false if there is none yet, or none any more

 private:
  AvOwner<AVCodecContext> context_;
  AvOwner<SwsContext> scaler_;
  AvOwner<AVFrame> rgb_, frame_;
  std::int64_t frame_duration_ = 0;
};

}  // namespace winnow
