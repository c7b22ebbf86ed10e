// Fits shapes of pictures in host memory on a device, as shape/shape_fit.h declares; its opening comment
// holds here.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "shape/shape_fit.h"
#include "shape/shape_steps_cuda.h"

namespace winnow {
namespace {

class DeviceFitter final : public ShapeFitter {
 public:
  DeviceFitter(SharedShapeProgram program, int device)
      : program_(std::move(program)), device_(device), lists_(*program_) {}

  void fit(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks,
           FittedShapes& shapes) override {
    const auto coordinates = static_cast<std::size_t>(2 * program_->points);
    shapes.coordinates.resize(tasks.size() * coordinates);
    shapes.confidence.resize(program_->has_confidence ? tasks.size() * coordinates / 2 : 0);
    if (tasks.empty()) return;
    const OnDevice on(device_);
    stage_pictures(pictures);
    stage_tasks(pictures, tasks);
    coordinates_.reserve(shapes.coordinates.size());
    confidence_.reserve(std::max<std::size_t>(1, shapes.confidence.size()));
    lists_.enqueue(tasks_.data(), count_.data(), static_cast<int>(tasks.size()), coordinates_.data(),
                   confidence_.data(), stream_.get());
    collect(coordinates_, host_coordinates_, shapes.coordinates);
    collect(confidence_, host_confidence_, shapes.confidence);
    check_cuda(cudaStreamSynchronize(stream_.get()), "fitting shapes");
    std::copy_n(host_coordinates_.data(), shapes.coordinates.size(), shapes.coordinates.begin());
    std::copy_n(host_confidence_.data(), shapes.confidence.size(), shapes.confidence.begin());
  }

 private:
  void stage_pictures(std::span<const GrayView> pictures) {
    offsets_.clear();
    std::size_t bytes = 0;
    for (const GrayView& picture : pictures) {
      offsets_.push_back(bytes);
      bytes += static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    }
    host_pixels_.reserve(std::max<std::size_t>(1, bytes));
    pixels_.reserve(std::max<std::size_t>(1, bytes));
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const GrayView& picture = pictures[i];
      for (int y = 0; y < picture.height; ++y)
        std::memcpy(host_pixels_.data() + offsets_[i] +
                        static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width),
                    picture.data + static_cast<std::ptrdiff_t>(y) * picture.stride,
                    static_cast<std::size_t>(picture.width));
    }
    check_cuda(
        cudaMemcpyAsync(pixels_.data(), host_pixels_.data(), bytes, cudaMemcpyHostToDevice, stream_.get()),
        "copying pictures to the device");
  }

  void stage_tasks(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks) {
    host_tasks_.reserve(tasks.size());
    tasks_.reserve(tasks.size());
    host_count_.reserve(1);
    count_.reserve(1);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto picture = static_cast<std::size_t>(tasks[i].picture);
      const GrayView& view = pictures[picture];
      host_tasks_[i] = {pixels_.data() + offsets_[picture], view.width, view.width, view.height,
                        tasks[i].box};
    }
    host_count_[0] = static_cast<int>(tasks.size());
    check_cuda(cudaMemcpyAsync(tasks_.data(), host_tasks_.data(), tasks.size() * sizeof(DeviceShapeTask),
                               cudaMemcpyHostToDevice, stream_.get()),
               "copying boxes to the device");
    check_cuda(cudaMemcpyAsync(count_.data(), host_count_.data(), sizeof(int), cudaMemcpyHostToDevice,
                               stream_.get()),
               "copying boxes to the device");
  }

  template <class T>
  void collect(const DeviceBuffer<T>& from, PinnedBuffer<T>& to, const std::vector<T>& wanted) {
    if (wanted.empty()) return;
    to.reserve(wanted.size());
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), wanted.size() * sizeof(T), cudaMemcpyDeviceToHost,
                               stream_.get()),
               "copying shapes from the device");
  }

  SharedShapeProgram program_;
  int device_;
  DeviceShapeProgram lists_;
  CudaStream stream_ = make_stream();
  std::vector<std::size_t> offsets_;
  PinnedBuffer<std::uint8_t> host_pixels_;
  DeviceBuffer<std::uint8_t> pixels_;
  PinnedBuffer<DeviceShapeTask> host_tasks_;
  DeviceBuffer<DeviceShapeTask> tasks_;
  PinnedBuffer<int> host_count_;
  DeviceBuffer<int> count_;
  DeviceBuffer<double> coordinates_;
  DeviceBuffer<std::int32_t> confidence_;
  PinnedBuffer<double> host_coordinates_;
  PinnedBuffer<std::int32_t> host_confidence_;
};

}  // namespace

std::unique_ptr<ShapeFitter> make_shape_fitter_cuda(SharedShapeProgram program, int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<DeviceFitter>(std::move(program), device);
}

}  // namespace winnow
