#include <algorithm>

#include "base/device/cuda_device.h"
#include "base/real_box.h"
#include "pipeline/mark_step_cuda.h"
#include "shape/shape_box.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;
constexpr std::int32_t kNone = -1;
constexpr int kUsualObjects = 16;  // the number of objects per frame that are fitted at once

struct TaskJob {
  ObjectsView objects;
  const std::uint8_t* pixels;  // the first frame's first pixel inside the border
  std::int64_t frame_bytes, pitch;
  Size inside;
  BoxPlace place;
  int room;
  std::int32_t* first;
  int* count;
  DeviceShapeTask* tasks;
};

// One block of threads makes the fitting tasks of all frames. If a frame's objects find no room, the frame is
// left out.
__global__ void __launch_bounds__(kThreads) task_kernel(const __grid_constant__ TaskJob job) {
  extern __shared__ std::int32_t first_of[];
  for (int frame = static_cast<int>(threadIdx.x); frame < job.objects.frames; frame += kThreads)
    first_of[frame] = job.objects.found[frame];
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int frame = 0; frame < job.objects.frames; ++frame) {
      const std::int32_t found = first_of[frame];
      const bool fits = found >= 0 && found <= job.room - all;
      first_of[frame] = fits ? all : kNone;
      if (fits) all += found;
    }
    *job.count = all;
  }
  __syncthreads();
  for (int frame = 0; frame < job.objects.frames; ++frame) {
    const std::int32_t first = first_of[frame];
    if (threadIdx.x == 0) job.first[frame] = first;
    if (first == kNone) continue;
    const Candidate* const objects = job.objects.objects + std::int64_t{frame} * job.objects.stride;
    for (int i = static_cast<int>(threadIdx.x); i < job.objects.found[frame]; i += kThreads)
      job.tasks[first + i] = {job.pixels + frame * job.frame_bytes,
                              job.pitch,
                              job.inside.width,
                              job.inside.height,
                              {0, 0, job.inside.width, job.inside.height},
                              placed_box(real_box(objects[i].box), job.place)};
  }
}

}  // namespace

MarkStep::MarkStep(const DeviceSearch& search, std::shared_ptr<const DeviceShapeProgram> program,
                   const BoxPlace& place)
    : search_(search), program_(std::move(program)), place_(place), count_(1) {}

void MarkStep::plan(int frames) {
  int room = std::max({room_, kFirstRoom, std::min(8 * frames, kMostRoom)});
  if (short_) room = std::min(2 * room, kMostRoom);
  short_ = false;
  if (frames <= frames_ && room == room_) return;
  frames_ = std::max(frames, frames_);
  room_ = 0;  // stays 0 if memory is short
  const auto most = static_cast<std::size_t>(room);
  first_.reserve(static_cast<std::size_t>(frames_));
  tasks_.reserve(most);
  coordinates_.reserve(most * static_cast<std::size_t>(2 * program_->points()));
  confidence_.reserve(std::max<std::size_t>(1, most * static_cast<std::size_t>(program_->sums())));
  room_ = room;
  ++version_;
}

void MarkStep::enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const {
  if (!marks()) return;
  const PyramidView frames = batch.view(search_.wish());
  const SearchRequest& request = search_.request();
  const std::int64_t pitch = frame_pitch(request.picture.width);
  const TaskJob job{search_.objects(count),
                    frames.frames + request.margin * pitch + request.margin,
                    frames.frame_bytes,
                    pitch,
                    request.inside(),
                    place_,
                    room_,
                    first_.data(),
                    count_.data(),
                    tasks_.data()};
  task_kernel<<<1, kThreads, static_cast<std::size_t>(count) * sizeof(std::int32_t), stream>>>(job);
  check_launch("launching the kernel of boxes");
  program_->enqueue(tasks_.data(), count_.data(), std::min(room_, kUsualObjects * count),
                    {coordinates_.data(), confidence_.data()}, stream);
}

void MarkStep::read(int frame, PictureShapes& shapes) {
  shapes.made = false;
  if (!marks() || !search_.results().grouped(frame)) return;
  const std::int32_t first = first_[static_cast<std::size_t>(frame)];
  if (first == kNone) {
    short_ = true;
    return;
  }
  const std::size_t objects = search_.results().objects(frame).size(), at = static_cast<std::size_t>(first);
  const auto take = [&](const auto& from, std::size_t each, auto& to) {
    to.assign(from.data() + at * each, from.data() + (at + objects) * each);
  };
  take(coordinates_, static_cast<std::size_t>(2 * program_->points()), shapes.shapes.coordinates);
  take(confidence_, static_cast<std::size_t>(program_->sums()), shapes.shapes.confidence);
  shapes.made = true;
}

}  // namespace winnow
