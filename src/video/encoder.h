// Encodes RGB pictures as compressed video packets.
//
// In:     pictures of `EncoderNeeds::size`, which is not checked, with rising times in ticks of `time_base`.
// Out:    packets of H.264 by x264 if FFmpeg has it (quality 18), else of MPEG-4 part 2 (quantiser 3). The
//         container .avi always gets MPEG-4: it cannot reorder frames, and takes only times that are
//         multiples of the frame rate. Colours follow Rec. 601 in the narrow range, and the stream says so.
//         Chroma is 4:2:0; H.264 with an odd width or height uses 4:4:4, since its 4:2:0 needs even sides.
//         Errors name no file.
// Exact:  nothing; the bytes depend on FFmpeg's build.
// Memory: `send` copies the picture; the caller owns the packet and its data; `context()` lives as long as
//         the encoder. The encoder owns two frames beside FFmpeg's own.
// Thread: one thread at a time; x264 starts threads of its own.
// Cost:   for each picture one pass of FFmpeg's scaler, and the encoding.
#pragma once

#include <cstdint>

#include <winnow/image.h>

#include "video/ffmpeg.h"

namespace winnow {

struct EncoderNeeds {
  Size size;
  double frames_per_second = 0;  // 0 if unknown; the rate of .avi files, and a hint for other containers
  AVRational pixel{1, 1};        // the ratio of a pixel's width to its height
  bool constant_rate = false;    // true for .avi: the time base is one frame
  bool x264 = true;              // use x264 if FFmpeg has it
  bool headers_apart = false;    // the container keeps the codec's headers in its own header
};

class VideoEncoder {
 public:
  explicit VideoEncoder(const EncoderNeeds& needs);

  const AVCodecContext& context() const { return *context_; }
  AVRational time_base() const { return context_->time_base; }
  std::int64_t frame_duration() const { return frame_duration_; }  // the usual duration, in `time_base`
  // `ticks` is the picture's time in `time_base`, and must grow from call to call. After each `send`, and
  // after `send_end`, call `receive` until it returns false. A full encoder refuses the next picture.
  void send(RgbView picture, std::int64_t ticks);
  void send_end();
  // Gives the next packet, with times in `time_base`. False if no packet is ready yet, or if no more will
  // come.
  bool receive(AVPacket* packet);

 private:
  AvOwner<AVCodecContext> context_;
  AvOwner<SwsContext> scaler_;
  AvOwner<AVFrame> rgb_, frame_;
  std::int64_t frame_duration_ = 0;
};

}  // namespace winnow
