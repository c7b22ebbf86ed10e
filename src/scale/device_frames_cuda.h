// Pictures on a device as frames with all their levels, brought there once for every search that wants them.
//
// In:     pictures of one size: in host memory (staged by a few threads), in pinned memory (copied from where
//         they lie), or on the device.
// Out:    per batch of frames and level plan, a `PyramidView` that is good in stream order.
// Exact:  the frames are the grey views of the pictures, or the channels of their colour views in the order
//         blue, green, red; levels as `DevicePyramid` makes them. With a table, frames hold the table's
//         values instead of the pixels. The caller's pictures stay as they are.
// Memory: owned, allocated by `plan`; nothing is allocated after that. `plan` does not keep the level plans.
//         Staged pictures may go when `bring` returns.
// Thread: one thread at a time, with the device of construction current.
//
// A `FrameBatch` is one batch and works on its caller's stream, so that a graph can hold its steps.
// `DeviceFrames` is a ring of batches with a stream of its own, which several sessions share:
//
//   frames.plan(size, plans, 1);
//   const int slot = frames.bring({&picture, 1});          // returns at once
//   faces.enqueue(frames, slot, 0, request);               // each on a stream of its own
//   people.enqueue(frames, slot, 1, request);
//   ... more pictures ...
//   faces.collect(results); people.collect(results);       // the slot is free again
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <winnow/image.h>

#include "base/cuda_device.h"
#include "base/cuda_memory.h"
#include "scale/frame.h"
#include "scale/pixel_table_cuda.h"
#include "scale/pyramid_cuda.h"
#include "scale/stager.h"

namespace winnow {

class FrameBatch {
 public:
  // Room for `frames` frames, and the levels of each plan. Clears the frames on `stream`. Work on earlier
  // frames must have ended. `planes`: 1 for the grey views of pictures; 3 for their colour views, which all
  // pictures must have then. Pictures on a device are grey. `table`: replaces the pixels before levels are
  // made.
  void plan(Size picture, std::span<const LevelPlan* const> plans, int frames, cudaStream_t stream,
            int planes = 1, const std::optional<PixelTable>& table = {});

  // Makes the pictures ready: stages them for `enqueue`, or copies them to their frames if they lie in pinned
  // memory or on the device. True if they are staged. Frames beyond the pictures keep what they held.
  // Not checked: every picture has the planned size, and there are at most `frames` of them. The last upload
  // must have ended, because staging writes over it.
  bool bring(std::span<const PictureView> pictures, PictureSource source, cudaStream_t stream);
  // Uploads the first `frames` frames if they are staged, and makes their levels. Can be captured in a graph.
  // With a table, pictures that are not staged must be brought anew for each call.
  void enqueue(bool staged, int frames, cudaStream_t stream) const;

  PyramidView view(std::size_t plan = 0) const {
    PyramidView view = pyramid_.view(frames_.data(), plan);
    view.planes = planes_;
    return view;
  }
  Size picture() const { return picture_; }
  int planes() const { return planes_; }

 private:
  // The size of a picture as it is brought: a plane, or rows of colours.
  std::size_t bytes() const {
    return static_cast<std::size_t>(frame_bytes({picture_.width * planes_, picture_.height}));
  }
  std::uint8_t* brought() const { return planes_ == 1 ? frames_.data() : colors_.data(); }

  Stager stager_;
  Size picture_;
  int planes_ = 1;
  std::optional<PixelTable> table_;
  std::vector<PictureView> rows_;  // the pictures as bytes
  PinnedBuffer<std::uint8_t> staging_;
  DeviceBuffer<std::uint8_t> frames_;
  DeviceBuffer<std::uint8_t> colors_;  // rows of colours, before they are split into planes
  DevicePyramid pyramid_;
  CudaEvent written_;  // the caller's pixels on the device
};

class DeviceFrames {
 public:
  // On the current device, with this many batches at once, at least 1.
  explicit DeviceFrames(int slots);

  // kUsage if a slot is in use.
  void plan(Size picture, std::span<const LevelPlan* const> plans, int frames);
  // Puts pictures, at most as many as the plan's frames, into the next slot and makes their levels. Returns
  // the slot. Waits only if the slot's last upload or levels are still under way. kUsage for more pictures
  // than frames, or if the slot is in use: collect its searches first. Every picture must have the planned
  // size, which is not checked. Pictures that are pinned or on a device must stay as they are until the
  // slot's searches are collected. A slot that no search holds is written over when its turn comes again.
  int bring(std::span<const PictureView> pictures, PictureSource source = {});

  // For sessions. `hold` keeps the slot until `release`; `wait_for` makes a stream wait for the slot's
  // levels.
  void hold(int slot) { ++at(slot).holders; }
  void release(int slot) { --at(slot).holders; }
  void wait_for(int slot, cudaStream_t stream) const;
  const FrameBatch& batch(int slot) const { return at(slot).batch; }
  int count(int slot) const { return at(slot).count; }

 private:
  struct Slot {
    FrameBatch batch;
    CudaEvent ready;
    int count = 0;    // pictures
    int holders = 0;  // sessions that have not collected yet
  };
  Slot& at(int slot) { return *slots_[static_cast<std::size_t>(slot)]; }
  const Slot& at(int slot) const { return *slots_[static_cast<std::size_t>(slot)]; }

  CudaStream stream_;
  std::vector<std::unique_ptr<Slot>> slots_;
  int frames_ = 0;
  int next_ = 0;
};

// A batch's view as if frame `frame` were its only one.
inline PyramidView view_of_frame(PyramidView view, int frame) {
  view.frames += std::int64_t{frame} * view.planes * view.frame_bytes;
  view.levels += std::int64_t{frame} * view.planes * view.level_bytes;
  return view;
}

}  // namespace winnow
