// Marks points in the objects that a search found, as a step of the same batch.
//
// In:     an earlier step that searches and leaves its objects on the device, and the batch's grey frames.
// Out:    per frame the shapes of its objects, once the stream is done. A frame has none if the host groups
//         its objects, or if there was too little room. The caller then fits the shapes.
// Exact:  the bits of `ShapeFitter::fit` for the frame's picture without its border.
// Memory: the step owns its memory, which `plan` allocates. `enqueue` allocates nothing and does not wait.
//         The search must outlive the step.
// Thread: one thread at a time. The device on which the object was made must be current.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/device/cuda_memory.h"
#include "pipeline/device_search_cuda.h"
#include "pipeline/pipeline.h"
#include "scale/frames/frame_batch_cuda.h"
#include "shape/shape_steps_cuda.h"

namespace winnow {

class MarkStep final : public FrameStep {
 public:
  // `program` may be shared with other steps of the device.
  MarkStep(const DeviceSearch& search, std::shared_ptr<const DeviceShapeProgram> program,
           const BoxPlace& place);

  // Allocates room for the objects of `frames` frames. The room grows if an earlier batch had too little.
  void plan(int frames);
  void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const override;
  std::uint64_t version() const override { return version_; }

  // Takes the shapes of a frame's objects. `shapes.made` is false if the device did not fit them.
  void read(int frame, PictureShapes& shapes);

  // The number of objects of a batch for which there is room at first, and at most.
  static constexpr int kFirstRoom = 64, kMostRoom = 4096;

 private:
  bool marks() const { return search_.finishes() && !search_.request().color; }

  const DeviceSearch& search_;
  std::shared_ptr<const DeviceShapeProgram> program_;
  BoxPlace place_;
  int frames_ = 0, room_ = 0;
  bool short_ = false;  // a frame had too little room
  std::uint64_t version_ = 0;
  DeviceBuffer<DeviceShapeTask> tasks_;
  DeviceBuffer<int> count_;
  // Host and device can both access these three buffers.
  PinnedBuffer<std::int32_t> first_;  // each frame's first shape; kNone if the frame has none
  PinnedBuffer<double> coordinates_;
  PinnedBuffer<std::int32_t> confidence_;
};

}  // namespace winnow
