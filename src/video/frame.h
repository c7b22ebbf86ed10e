// A decoded frame of FFmpeg in, an upright `Picture` out.
//
// Grey frames (GRAY8) give their plane as it is. Any other becomes RGB first, by the frame's own matrix and
// range (Rec. 601 and the narrow range where it names none), with FFmpeg's bit-exact scaler; grey follows
// from that RGB by `gray_of`. The turn is the one of the display matrix, rounded to quarter turns, mirrored
// or not. Cost: one pass of the scaler and one over the pixels a picture; the scaler and all buffers are kept
// from frame to frame, and made anew only where size or format change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <winnow/image.h>

#include "video/ffmpeg.h"

namespace winnow {

// Column x and row y of the frame go to column y and row x if `swap`, and are then mirrored.
struct Turn {
  bool swap = false;
  bool mirror_x = false;
  bool mirror_y = false;
};

Turn turn_of_matrix(const std::int32_t (&matrix)[9]);
// What the frame says, or else what the stream says.
Turn turn_of(const AVFrame& frame, const AVStream& stream);
Size upright_size(const AVFrame& frame, Turn turn);

class FrameConverter {
 public:
  // Fills `picture.gray`, and `picture.color` if `color`; their memory is reused where the size is the same.
  void convert(const AVFrame& frame, Turn turn, bool color, Picture& picture);

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
