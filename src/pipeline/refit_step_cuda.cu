#include <algorithm>
#include <bit>

#include "model/landmarks/landmark_model.h"
#include "pipeline/refit_step_cuda.h"
#include "shape/shape_box.h"
#include "track/follow/motion_rule.h"

namespace winnow {
namespace {

constexpr int kThreads = 128;
constexpr int kUsualBoxes = 16;  // the number of boxes per frame in which points are fitted at once

// A box in the frame before. Its points are consecutive in the flow's list of the frame.
struct BoxBefore {
  RealBox box;
  std::int32_t frame, first;
};

struct TaskWork {
  const std::int32_t* count;
  const BoxBefore* boxes;
  const PointPlace* points;  // those of box i begin at i * each
  int each;
  const FlowResult* flown;  // those of frame i begin at i * pitch
  int pitch;
  const std::uint8_t* pixels;
  std::int64_t frame_bytes, stride;
  int width, height;
  BoxPlace place;
  DeviceShapeTask* tasks;
};

// Finds a median with all threads of a block: the value that has as many smaller values before it as
// `median_place` says. Equal values count by their points' numbers.
struct BlockMedian {
  int points;
  double* values;       // in shared memory, one for each point
  std::uint8_t* given;  // whether a point has a value
  double* median;       // one number in shared memory

  template <class ValueOf>
  WINNOW_HOST_DEVICE Median operator()(const ValueOf& value_of) const {
#ifdef __CUDA_ARCH__
    int mine = 0;
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < points; i += kThreads) {
      double value = 0;
      given[i] = value_of(i, value) ? 1 : 0;
      values[i] = value;
      mine += given[i];
    }
    // Each thread has at most kMaxPoints / kThreads values, so sums of a block's threads are few.
    int count = 0;
    for (int one = 1; one <= (points + kThreads - 1) / kThreads; ++one)
      count += __syncthreads_count(mine >= one);
    if (count == 0) return {};
    for (int i = static_cast<int>(threadIdx.x); i < points; i += kThreads) {
      if (given[i] == 0) continue;
      int before = 0;
      for (int other = 0; other < points; ++other)
        before += static_cast<int>(given[other] != 0 &&
                                   (values[other] < values[i] || (values[other] == values[i] && other < i)));
      if (before == median_place(count)) *median = values[i];
    }
    __syncthreads();
    return {*median, count};
#else
    return {};
#endif
  }
};

// A block of threads moves a box, and makes the task of its fit.
__global__ void __launch_bounds__(kThreads) carried_task_kernel(const __grid_constant__ TaskWork work) {
  __shared__ double values[kMaxPoints];
  __shared__ std::uint8_t given[kMaxPoints];
  __shared__ double median;
  const int at = static_cast<int>(blockIdx.x);
  if (at >= *work.count) return;
  const BoxBefore from = work.boxes[at];
  const PointPlace* const points = work.points + std::int64_t{at} * work.each;
  const FlowResult* const flown = work.flown + std::int64_t{from.frame} * work.pitch + from.first;
  BlockMedian median_of{work.each, values, given, &median};
  const Motion motion =
      motion_of([&](int i) { return point_step(points[i], flow_point(flown[i]), from.box); }, median_of);
  if (threadIdx.x != 0) return;
  DeviceShapeTask task;  // without pixels, if no point holds: then there is no box to fit
  if (motion.held > 0) {
    const RealBox box = moved(from.box, motion);
    task.pixels = work.pixels + from.frame * work.frame_bytes;
    task.stride = work.stride;
    task.width = work.width;
    task.height = work.height;
    task.there = {0, 0, work.width, work.height};
    task.box = placed_box(box, work.place);
  }
  work.tasks[at] = task;
}

}  // namespace

RefitStep::RefitStep(const CarryStep& carry, std::shared_ptr<const DeviceShapeProgram> program,
                     const BoxPlace& place, bool beside)
    : carry_(carry), program_(std::move(program)), place_(place), beside_(beside) {
  if (!beside) return;
  side_ = make_stream();
  begun_ = make_event();
  ended_ = make_event();
}

RefitStep::Layout RefitStep::layout(std::size_t room) const {
  const std::size_t each = static_cast<std::size_t>(program_->points()) * sizeof(PointPlace);
  const std::size_t boxes = sizeof(BoxBefore), points = boxes + room * sizeof(BoxBefore);
  return {0, boxes, points, points + room * each};
}

void RefitStep::plan(std::size_t boxes) {
  if (boxes <= room_) return;
  const std::size_t room = std::bit_ceil(boxes);
  room_ = 0;  // stays 0 if memory is short
  tasks_.reserve(room);
  coordinates_.reserve(room * static_cast<std::size_t>(2 * program_->points()));
  confidence_.reserve(std::max<std::size_t>(1, room * static_cast<std::size_t>(program_->sums())));
  told_.reserve(layout(room).bytes);
  known_.reserve(layout(room).bytes);
  room_ = room;
  ++version_;
}

void RefitStep::add(int frame, std::span<const RealBox> boxes, std::span<const PointPlace> points) {
  const Layout at = layout(room_);
  const auto each = static_cast<std::size_t>(program_->points());
  auto* const before = reinterpret_cast<BoxBefore*>(told_.data() + at.boxes) + boxes_;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    before[i] = {boxes[i], frame, static_cast<std::int32_t>(i * each)};
  std::copy(points.begin(), points.end(),
            reinterpret_cast<PointPlace*>(told_.data() + at.points) + boxes_ * each);
  tell(boxes_ + boxes.size());
}

void RefitStep::tell(std::size_t boxes) {
  boxes_ = boxes;
  if (room_ > 0)
    *reinterpret_cast<std::int32_t*>(told_.data() + layout(room_).count) = static_cast<std::int32_t>(boxes);
}

void RefitStep::enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const {
  if (room_ == 0) return;
  if (!beside_) return enqueue_on(batch, count, stream);
  check_cuda(cudaEventRecord(begun_.get(), stream), "recording an event");
  check_cuda(cudaStreamWaitEvent(side_.get(), begun_.get()), "waiting for carried points");
  enqueue_on(batch, count, side_.get());
  check_cuda(cudaEventRecord(ended_.get(), side_.get()), "recording an event");
}

void RefitStep::join(cudaStream_t stream) const {
  if (room_ == 0 || !beside_) return;
  check_cuda(cudaStreamWaitEvent(stream, ended_.get()), "waiting for the fits of carried boxes");
}

void RefitStep::enqueue_on(const FrameBatch& batch, int frame_count, cudaStream_t stream) const {
  const Layout at = layout(room_);
  check_cuda(cudaMemcpyAsync(known_.data(), told_.data(), at.bytes, cudaMemcpyHostToDevice, stream),
             "copying boxes to the device");
  const PyramidView frames = batch.view(carry_.wish());
  const Size picture = batch.picture();
  const std::int32_t* const count = reinterpret_cast<const std::int32_t*>(known_.data() + at.count);
  const TaskWork work{count,
                      reinterpret_cast<const BoxBefore*>(known_.data() + at.boxes),
                      reinterpret_cast<const PointPlace*>(known_.data() + at.points),
                      program_->points(),
                      carry_.flown(),
                      carry_.pitch(),
                      frames.frames,
                      frames.frame_bytes,
                      frame_pitch(picture.width),
                      picture.width,
                      picture.height,
                      place_,
                      tasks_.data()};
  carried_task_kernel<<<static_cast<unsigned>(room_), kThreads, 0, stream>>>(work);
  check_launch("launching the kernel of carried boxes");
  const int at_once = std::min(static_cast<int>(room_), kUsualBoxes * frame_count);
  program_->enqueue(tasks_.data(), count, at_once, {coordinates_.data(), confidence_.data()}, stream);
}

void RefitStep::read(std::size_t first, std::size_t count, PictureShapes& shapes) const {
  const auto take = [&](const auto& from, std::size_t each, auto& to) {
    to.assign(from.data() + first * each, from.data() + (first + count) * each);
  };
  take(coordinates_, static_cast<std::size_t>(2 * program_->points()), shapes.shapes.coordinates);
  take(confidence_, static_cast<std::size_t>(program_->sums()), shapes.shapes.confidence);
  shapes.made = true;
}

}  // namespace winnow
