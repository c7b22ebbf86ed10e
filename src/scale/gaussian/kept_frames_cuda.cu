#include "scale/gaussian/kept_frames_cuda.h"

#include "base/device/cuda_device.h"
#include "scale/frames/frame.h"

namespace winnow {

void DeviceKeptFrames::plan(Size picture, int levels) {
  ++version_;
  check_cuda(cudaDeviceSynchronize(), "waiting for kept frames");
  picture_ = picture;
  const auto bytes = static_cast<std::size_t>(frame_bytes(picture));
  for (auto* frame : {&frame_now_, &frame_before_}) {
    frame->reserve(bytes);
    check_cuda(cudaMemset(frame->data(), 0, bytes), "clearing a frame");
  }
  for (auto* pyramid : {&now_, &before_}) {
    pyramid->plan(picture, levels, 1);
    pyramid->enqueue(frame_now_.data(), 1, nullptr);
  }
  check_cuda(cudaDeviceSynchronize(), "planning kept frames");
}

void DeviceKeptFrames::enqueue(const std::uint8_t* frame, cudaStream_t stream) const {
  const auto copy = [&](std::uint8_t* to, const std::uint8_t* from) {
    check_cuda(cudaMemcpyAsync(to, from, static_cast<std::size_t>(frame_bytes(picture_)),
                               cudaMemcpyDeviceToDevice, stream),
               "keeping a frame");
  };
  copy(frame_before_.data(), frame_now_.data());
  before_.copy(now_, stream);
  copy(frame_now_.data(), frame);
  now_.enqueue(frame_now_.data(), 1, stream);
}

}  // namespace winnow
