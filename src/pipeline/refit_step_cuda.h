// Fits points anew in the boxes that flow carried to the frames of a batch, as a step of the same batch.
//
// In:     an earlier `CarryStep` of the batch; boxes and their points in the frame before; the
//         batch's grey frames.
// Out:    a shape in each box at the place to which flow carried the box, once the stream is done. The shape
//         in a box none of whose points hold is undefined.
// Exact:  boxes as `moved(box, motion_of(...))`, shapes as `ShapeFitter::fit`, to the bit.
// Memory: the step owns its memory, which `plan` allocates. `enqueue` allocates nothing and does not wait.
//         The `CarryStep` must outlive the step.
// Thread: one thread at a time. The device on which the object was made must be current.
// Cost:   a fit in one box takes about 130 microseconds on an H200. It keeps one multiprocessor busy, or
//         eight if the model's leaves are floats. So the step can run beside the steps between it and a
//         `JoinStep`.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <winnow/box.h>
#include <winnow/landmarks.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "pipeline/carry_step_cuda.h"
#include "pipeline/pipeline.h"
#include "scale/frames/frame_batch_cuda.h"
#include "shape/shape_steps_cuda.h"
#include "track/follow/point_place.h"

namespace winnow {

class RefitStep final : public FrameStep {
 public:
  // `beside`: the step runs beside the batch's later steps, up to a `JoinStep`.
  RefitStep(const CarryStep& carry, std::shared_ptr<const DeviceShapeProgram> program, const BoxPlace& place,
            bool beside);

  // Makes room for this many boxes of a batch. All earlier batches must have ended. Before the first box
  // comes, the step puts nothing on the stream.
  void plan(std::size_t boxes);
  // Forgets the boxes of the last batch.
  void clear() { tell(0); }
  // Adds boxes of frame `frame` to the next batch, in the order of their points in the `CarryStep`.
  void add(int frame, std::span<const RealBox> boxes, std::span<const PointPlace> points);
  void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const override;
  // Lets the stream wait for a step that runs beside it.
  void join(cudaStream_t stream) const;
  std::uint64_t version() const override { return version_; }

  // Takes the shapes of the next `count` boxes, in the order in which they were added.
  void read(std::size_t first, std::size_t count, PictureShapes& shapes) const;

 private:
  struct Layout {
    std::size_t count, boxes, points, bytes;
  };
  Layout layout(std::size_t room) const;
  void tell(std::size_t boxes);
  void enqueue_on(const FrameBatch& batch, int frame_count, cudaStream_t stream) const;

  const CarryStep& carry_;
  std::shared_ptr<const DeviceShapeProgram> program_;
  BoxPlace place_;
  bool beside_;
  std::size_t room_ = 0, boxes_ = 0;
  std::uint64_t version_ = 0;
  CudaStream side_;
  CudaEvent begun_, ended_;
  PinnedBuffer<std::uint8_t> told_;
  DeviceBuffer<std::uint8_t> known_;
  DeviceBuffer<DeviceShapeTask> tasks_;
  // Host and device can both access these two buffers.
  PinnedBuffer<double> coordinates_;
  PinnedBuffer<std::int32_t> confidence_;
};

// Ends what a `RefitStep` runs beside the steps of a batch. It must come after that step.
class JoinStep final : public FrameStep {
 public:
  explicit JoinStep(const RefitStep& refit) : refit_(refit) {}
  void enqueue(const FrameBatch&, int, cudaStream_t stream) const override { refit_.join(stream); }
  std::uint64_t version() const override { return refit_.version(); }

 private:
  const RefitStep& refit_;
};

}  // namespace winnow
