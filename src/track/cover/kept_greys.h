// Keeps copies of the newest grey frames of a video, within a bound of memory.
//
// In:     frames in their order.
// Out:    views of the frames that are kept.
// Memory: at most `most_bytes` of pixels, and two frames in any case. Buffers are used again.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <winnow/image.h>

namespace winnow {

class KeptGreys {
 public:
  // `most_frames`: 2 or more.
  KeptGreys(std::int64_t most_bytes, std::size_t most_frames)
      : most_bytes_(most_bytes), most_frames_(most_frames) {}

  // Drops all kept frames first if the new frame is empty or has another size. An empty frame is not kept.
  void keep(GrayView frame);
  void clear();
  std::size_t size() const { return frames_.size(); }
  // `frames`: 0 for the newest frame, 1 for the frame before it, and so on.
  GrayView back(std::size_t frames) const { return frames_[frames_.size() - 1 - frames].view(); }
  std::int64_t bytes() const;

 private:
  std::int64_t most_bytes_;
  std::size_t most_frames_;
  std::deque<GrayImage> frames_;
};

}  // namespace winnow
