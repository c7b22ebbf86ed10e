#include "scale/gaussian/kept_frames_cuda.h"

#include <cstddef>

#include "scale/frames/frame.h"

namespace winnow {

void DeviceKeptFrames::take(GrayView frame, int levels) {
  const bool same = kept_ > 0 && frames_[now_].size == frame.size();
  kept_ = 0;  // stays 0 if memory is short
  now_ = 1 - now_;
  Frame& kept = frames_[now_];
  if (kept.copying) wait();
  kept.size = frame.size();
  kept.levels = 0;
  const auto bytes = static_cast<std::size_t>(frame_bytes(frame.size()));
  kept.staged.reserve(bytes);
  kept.pixels.reserve(bytes);
  stage_rows(frame, {0, frame.height}, kept.staged.data());
  check_cuda(
      cudaMemcpyAsync(kept.pixels.data(), kept.staged.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
      "copying a picture to the device");
  kept.copying = true;
  make_levels(kept, levels);
  kept_ = same ? 2 : 1;
}

void DeviceKeptFrames::deepen(int levels) {
  for (int i = 0; i < kept_; ++i) make_levels(frames_[i == 0 ? now_ : 1 - now_], levels);
}

void DeviceKeptFrames::wait() {
  check_cuda(cudaStreamSynchronize(stream_.get()), "keeping frames");
  for (Frame& frame : frames_) frame.copying = false;
}

void DeviceKeptFrames::make_levels(Frame& frame, int levels) {
  levels = gaussian_levels(frame.size, levels);
  if (frame.levels >= levels) return;
  if (frame.planned_size != frame.size || frame.pyramid.levels() != levels) {
    wait();
    frame.planned_size = {};
    frame.pyramid.plan(frame.size, levels, 1);
    frame.planned_size = frame.size;
  }
  frame.pyramid.enqueue(frame.pixels.data(), 1, stream_.get());
  frame.levels = levels;
}

}  // namespace winnow
