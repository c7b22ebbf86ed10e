// Converts a decoded frame of FFmpeg to an upright `Picture`.
//
// In:     a frame in any pixel format that FFmpeg's scaler reads, and the turn that its display matrix asks
//         for.
// Out:    grey, and RGB if asked for. The turn is rounded to a multiple of 90 degrees, mirrored or not.
// Exact:  grey frames (GRAY8) give their plane as it is. Other frames become RGB by FFmpeg's bit-exact
//         scaler, with the frame's own colour matrix and range. Rec. 601 replaces a missing matrix. The
//         narrow range replaces a missing range. Grey is computed from RGB by `gray_of`.
// Memory: owns the scaler and one frame of RGB, made anew only if size, format, matrix or range change. The
//         picture belongs to the caller; nothing of the frame is kept.
// Thread: one thread at a time.
// Cost:   for each picture one pass of the scaler, and one pass over the pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <winnow/image.h>

#include "video/ffmpeg.h"

namespace winnow {

// How a frame is turned. If `swap`, the pixel at column x and row y goes to column y and row x. Then
// `mirror_x` exchanges left and right, and `mirror_y` exchanges top and bottom.
struct QuarterTurns {
  bool swap = false;
  bool mirror_x = false;
  bool mirror_y = false;
};

QuarterTurns quarter_turns_of_matrix(const std::int32_t (&matrix)[9]);
// The frame's own turn, or the stream's if the frame has none.
QuarterTurns quarter_turns_of(const AVFrame& frame, const AVStream& stream);
Size upright_size(const AVFrame& frame, QuarterTurns turns);

class FrameConverter {
 public:
  // Fills `picture.gray`, and `picture.color` if `color`. Their memory is reused if the size is the same.
  void convert(const AVFrame& frame, QuarterTurns turns, bool color, Picture& picture);

 private:
  struct Shape {
    int width = 0, height = 0, format = -1, matrix = 0;
    bool full_range = false;
    bool operator==(const Shape&) const = default;
  };
  struct Free {
    void operator()(std::uint8_t* p) const { av_free(p); }
  };
  void prepare(const Shape& shape);

  Shape shape_;
  AvOwner<SwsContext> scaler_;
  std::unique_ptr<std::uint8_t, Free> rgb_;
  int stride_ = 0;
};

}  // namespace winnow
