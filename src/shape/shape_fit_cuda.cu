// Fits shapes of pictures in host memory on a device, as shape/shape_fit.h declares; its opening comment
// holds here.
//
// A fit reads pixels near its box only. So only a window around the boxes of a picture is copied. A shape
// that reads pixels beyond the window is fitted once more, with the whole picture. Windows and tasks go to
// the device in one copy. The device writes results straight into pinned host memory, because a copy would
// take longer.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "shape/shape_fit.h"
#include "shape/shape_steps_cuda.h"

namespace winnow {
namespace {

// A window reaches beyond a box by this fraction of the box's longer side, plus one pixel.
constexpr double kMargin = 0.5;

PixelWindow whole_of(const GrayView& picture) { return {0, 0, picture.width, picture.height}; }

// The window around a box, within the picture; it may be empty.
PixelWindow window_of(const ShapeBox& box, const GrayView& picture) {
  const double more = kMargin * std::max(box.across, box.down) + 1;
  const auto within = [](double place, int side) {
    return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(side)));
  };
  return {within(std::floor(box.left - more), picture.width),
          within(std::floor(box.top - more), picture.height),
          within(std::ceil(box.left + box.across + more), picture.width),
          within(std::ceil(box.top + box.down + more), picture.height)};
}

// The smallest window that holds both windows.
PixelWindow joined(const PixelWindow& a, const PixelWindow& b) {
  if (a.right <= a.left || a.bottom <= a.top) return b;
  if (b.right <= b.left || b.bottom <= b.top) return a;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

class DeviceFitter final : public ShapeFitter {
 public:
  DeviceFitter(SharedShapeProgram program, int device)
      : program_(std::move(program)), device_(device), lists_(*program_) {}

  void fit(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks,
           FittedShapes& shapes) override {
    shapes.coordinates.resize(tasks.size() * each_coordinates());
    shapes.confidence.resize(tasks.size() * each_confidence());
    if (tasks.empty()) return;
    const OnDevice on(device_);
    windows_.assign(pictures.size(), {});
    for (const ShapeTask& task : tasks) {
      PixelWindow& window = windows_[static_cast<std::size_t>(task.picture)];
      window = joined(window, window_of(task.box, pictures[static_cast<std::size_t>(task.picture)]));
    }
    run(pictures, tasks);
    std::copy_n(coordinates_.data(), shapes.coordinates.size(), shapes.coordinates.begin());
    std::copy_n(confidence_.data(), shapes.confidence.size(), shapes.confidence.begin());
    fit_beyond(pictures, tasks, shapes);
  }

 private:
  std::size_t each_coordinates() const { return static_cast<std::size_t>(2 * lists_.points()); }
  std::size_t each_confidence() const { return static_cast<std::size_t>(lists_.sums()); }

  // Repeats the tasks that read pixels beyond their windows, with whole pictures.
  void fit_beyond(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks,
                  FittedShapes& shapes) {
    again_.clear();
    again_tasks_.clear();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (beyond_[i] == 0) continue;
      again_.push_back(i);
      again_tasks_.push_back(tasks[i]);
    }
    if (again_.empty()) return;
    windows_.assign(pictures.size(), {});
    for (const ShapeTask& task : again_tasks_) {
      const auto picture = static_cast<std::size_t>(task.picture);
      windows_[picture] = whole_of(pictures[picture]);
    }
    run(pictures, again_tasks_);
    for (std::size_t i = 0; i < again_.size(); ++i) {
      std::copy_n(coordinates_.data() + i * each_coordinates(), each_coordinates(),
                  shapes.coordinates.begin() + static_cast<std::ptrdiff_t>(again_[i] * each_coordinates()));
      std::copy_n(confidence_.data() + i * each_confidence(), each_confidence(),
                  shapes.confidence.begin() + static_cast<std::ptrdiff_t>(again_[i] * each_confidence()));
    }
  }

  // Fits the tasks in the windows of their pictures, and waits for the device.
  void run(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks) {
    static_assert(sizeof(Head) % alignof(DeviceShapeTask) == 0);
    const std::size_t first_pixel = sizeof(Head) + tasks.size() * sizeof(DeviceShapeTask);
    offsets_.clear();
    std::size_t bytes = first_pixel;
    for (const PixelWindow& window : windows_) {
      offsets_.push_back(bytes);
      bytes += static_cast<std::size_t>(window.right - window.left) *
               static_cast<std::size_t>(window.bottom - window.top);
    }
    staging_.reserve(bytes);
    there_.reserve(bytes);
    stage_windows(pictures);
    stage_tasks(pictures, tasks);
    coordinates_.reserve(tasks.size() * each_coordinates());
    confidence_.reserve(std::max<std::size_t>(1, tasks.size() * each_confidence()));
    beyond_.reserve(tasks.size());
    std::fill_n(beyond_.data(), tasks.size(), 0);
    check_cuda(cudaMemcpyAsync(there_.data(), staging_.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
               "copying pictures to the device");
    lists_.enqueue(reinterpret_cast<const DeviceShapeTask*>(there_.data() + sizeof(Head)),
                   reinterpret_cast<const int*>(there_.data()), static_cast<int>(tasks.size()),
                   {coordinates_.data(), confidence_.data(), beyond_.data()}, stream_.get());
    check_cuda(cudaStreamSynchronize(stream_.get()), "fitting shapes");
  }

  void stage_windows(std::span<const GrayView> pictures) {
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const PixelWindow& window = windows_[i];
      const auto width = static_cast<std::size_t>(window.right - window.left);
      std::uint8_t* to = staging_.data() + offsets_[i];
      for (int y = window.top; width > 0 && y < window.bottom; ++y, to += width)
        std::memcpy(to, pictures[i].row(y) + window.left, width);
    }
  }

  void stage_tasks(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks) {
    const Head head{static_cast<int>(tasks.size())};
    std::memcpy(staging_.data(), &head, sizeof(head));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto picture = static_cast<std::size_t>(tasks[i].picture);
      const PixelWindow& window = windows_[picture];
      const std::int64_t stride = window.right - window.left;
      const DeviceShapeTask task{there_.data() + offsets_[picture] - window.top * stride - window.left,
                                 stride,
                                 pictures[picture].width,
                                 pictures[picture].height,
                                 window,
                                 tasks[i].box};
      std::memcpy(staging_.data() + sizeof(head) + i * sizeof(task), &task, sizeof(task));
    }
  }

  // The head of `there_`. The tasks follow it, then the pixels of the windows.
  struct alignas(DeviceShapeTask) Head {
    int count = 0;
  };

  SharedShapeProgram program_;
  int device_;
  DeviceShapeProgram lists_;
  CudaStream stream_ = make_stream();
  std::vector<PixelWindow> windows_;  // the part of each picture that is copied
  std::vector<std::size_t> offsets_;  // where each window begins in `there_`
  std::vector<std::size_t> again_;
  std::vector<ShapeTask> again_tasks_;
  PinnedBuffer<std::uint8_t> staging_;
  DeviceBuffer<std::uint8_t> there_;
  // Host and device can both access these buffers.
  PinnedBuffer<double> coordinates_;
  PinnedBuffer<std::int32_t> confidence_, beyond_;
};

}  // namespace

std::unique_ptr<ShapeFitter> make_shape_fitter_cuda(SharedShapeProgram program, int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<DeviceFitter>(std::move(program), device);
}

}  // namespace winnow
