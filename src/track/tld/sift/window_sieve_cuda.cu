// Keeps frames and sifts windows on a device, as track/tld/sift/window_sieve.h declares; its opening comment
// holds here.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "base/device/cuda_range.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "scale/integral_cuda.h"
#include "track/flow/kept_flow_cuda.h"
#include "track/tld/object_frame.h"
#include "track/tld/object_search.h"
#include "track/tld/sift/blur_cuda.h"
#include "track/tld/sift/sift_cuda.h"
#include "track/tld/sift/window_sieve.h"

namespace winnow {
namespace {

constexpr const char* kDoing = "searching a frame for objects";

// One level of the newest frame: what kernels read of it, and what the host reads.
class DeviceLevel {
 public:
  // Puts all work for a frame on `stream`, and copies for the host on `copies`. Earlier work has ended.
  void make(const GaussianLevelView& view, const std::uint8_t* staged, int halvings, cudaStream_t stream,
            cudaStream_t copies) {
    const Size size{view.width, view.height};
    const std::int64_t pixels = std::int64_t{size.width} * size.height;
    if (size != planned_) plan(size, view);
    blur_level(view, blurred_.data(), stream);
    integral_.enqueue({view.first, nullptr, image_.data(), view.frame_bytes, 0}, 0, sums_.data(),
                      squares_.data(), stream);
    check_cuda(cudaEventRecord(ready_.get(), stream), kDoing);
    check_cuda(cudaStreamWaitEvent(copies, ready_.get()), kDoing);
    copy(blurred_.data(), static_cast<std::size_t>(pixels), shown_blurred_, copies);
    const std::uint8_t* level = staged;
    if (halvings > 0) {
      copy(view.first, static_cast<std::size_t>(view.frame_bytes), shown_level_, copies);
      level = shown_level_.data();
    }
    check_cuda(cudaEventRecord(copied_.get(), copies), kDoing);
    shown_ = {halvings,
              {level, size.width, size.height, view.pitch},
              {shown_blurred_.data(), size.width, size.height, size.width}};
  }

  // The level for the host. Waits for its copies.
  const ObjectFrame::Shown& shown() const {
    check_cuda(cudaEventSynchronize(copied_.get()), kDoing);
    return shown_;
  }
  cudaEvent_t ready() const { return ready_.get(); }
  const std::uint32_t* sums() const { return sums_.data(); }
  const std::uint32_t* squares() const { return squares_.data(); }
  std::int64_t stride() const { return stride_; }
  const std::uint8_t* blurred() const { return blurred_.data(); }
  int width() const { return planned_.width; }

 private:
  void plan(Size size, const GaussianLevelView& view) {
    planned_ = {};
    constexpr std::int64_t kSector = 8;  // values of a plane that are written at once
    stride_ = (size.width + kSector) / kSector * kSector;
    const auto values = static_cast<std::size_t>(stride_) * (static_cast<std::size_t>(size.height) + 1);
    sums_.reserve(values);
    squares_.reserve(values);
    blurred_.reserve(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
    const LevelImage image{0, size.width, size.height, view.pitch, 1};
    upload(std::span<const LevelImage>(&image, 1), image_);
    const DeviceIntegral::Place place{0, stride_, stride_};
    integral_.plan(std::span(&size, 1), std::span(&place, 1), true);
    planned_ = size;
  }
  static void copy(const std::uint8_t* from, std::size_t bytes, PinnedBuffer<std::uint8_t>& to,
                   cudaStream_t stream) {
    to.reserve(bytes);
    check_cuda(cudaMemcpyAsync(to.data(), from, bytes, cudaMemcpyDeviceToHost, stream), kDoing);
  }

  Size planned_;
  std::int64_t stride_ = 0;
  DeviceBuffer<std::uint8_t> blurred_;
  DeviceBuffer<std::uint32_t> sums_, squares_;
  DeviceBuffer<LevelImage> image_;
  DeviceIntegral integral_;
  PinnedBuffer<std::uint8_t> shown_level_, shown_blurred_;
  CudaEvent ready_ = make_event(), copied_ = make_event();
  ObjectFrame::Shown shown_;
};

class DeviceSieveFrames final : public SieveFrames {
 public:
  explicit DeviceSieveFrames(int device) : device_(device) {}
  ~DeviceSieveFrames() override {
    cudaStreamSynchronize(stream_.get());
    cudaStreamSynchronize(copies_.get());
  }

  void keep(GrayView frame, const FlowRules& rules) override {
    const OnDevice on(device_);
    const CudaRange range("keep a frame for objects");
    std::fill(is_made_.begin(), is_made_.end(), false);
    if (working > 0) check_cuda(cudaDeviceSynchronize(), kDoing);  // an earlier frame failed
    wait();
    flow_.keep(frame, rules, deepest_);
    follow_flow();
  }
  void forget() override { flow_.forget(); }
  bool has_before() const override { return flow_.has_before(); }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    const OnDevice on(device_);
    const Size size = flow_.frames().size();
    if (flow_.frames().levels() < flow_levels(size.width, size.height, rules)) wait();  // levels move
    flow_.carry(points, rules, results);
  }

  std::unique_ptr<WindowSieve> make_sieve() override;

  // The level of the newest frame for objects of so many halvings, made once for all of them.
  const DeviceLevel& level(int wanted) {
    DeviceKeptFrames& frames = flow_.frames();
    const int levels = gaussian_levels(frames.size(), wanted + 1);
    const auto number = static_cast<std::size_t>(levels - 1);
    while (levels_.size() <= number) {
      levels_.push_back(std::make_unique<DeviceLevel>());
      is_made_.push_back(false);
    }
    if (is_made_[number]) return *levels_[number];
    if (frames.levels() < levels) {
      wait();  // the levels so far may still be read
      frames.deepen(levels);
      follow_flow();
    }
    deepest_ = std::max(deepest_, levels);
    levels_[number]->make(frames.now().levels[number], frames.pixels(), levels - 1, stream_.get(),
                          copies_.get());
    is_made_[number] = true;
    return *levels_[number];
  }
  int device() const { return device_; }

  std::atomic<int> working{0};  // sieves that have begun and not finished

 private:
  void wait() {
    check_cuda(cudaStreamSynchronize(stream_.get()), kDoing);
    check_cuda(cudaStreamSynchronize(copies_.get()), kDoing);
  }
  // The search waits for the frame and its halves, which come on the stream of flow.
  void follow_flow() {
    check_cuda(cudaEventRecord(kept_.get(), flow_.frames().stream()), kDoing);
    check_cuda(cudaStreamWaitEvent(stream_.get(), kept_.get()), kDoing);
  }

  int device_;
  CudaStream stream_ = make_stream(), copies_ = make_stream();
  CudaEvent kept_ = make_event();
  DeviceKeptFlow flow_;
  int deepest_ = 0;                                   // the most levels that objects needed so far
  std::vector<std::unique_ptr<DeviceLevel>> levels_;  // by the number of halvings
  std::vector<bool> is_made_;                         // of the newest frame
};

class DeviceWindowSieve final : public WindowSieve {
 public:
  explicit DeviceWindowSieve(DeviceSieveFrames& frames) : frames_(frames) {}
  ~DeviceWindowSieve() override {
    cudaStreamSynchronize(stream_.get());
    if (works_) --frames_.working;
  }

  void begin(const ObjectGrid& grid, const LearntObject& object) override {
    const OnDevice on(frames_.device());
    const CudaRange range("begin to search for an object");
    if (works_) end();
    level_ = &frames_.level(object.halvings);
    const SiftTables tables(grid);
    staged_tables_.reserve(tables.bytes());
    tables_.reserve(tables.bytes());
    tables.write(grid, object, staged_tables_.data());
    tiles_.reserve(std::max<std::size_t>(1, tables.tiles()));
    places_.reserve(std::max<std::size_t>(1, tables.tiles()));
    taken_.reserve(1);
    count_.reserve(1);
    constexpr std::int64_t kLeastRoom = 4096, kUsualPart = 8;
    make_room(static_cast<std::size_t>(std::max(kLeastRoom, grid.windows.window_count / kUsualPart)));
    works_ = true;
    ++frames_.working;
    check_cuda(cudaMemcpyAsync(tables_.data(), staged_tables_.data(), tables.bytes(), cudaMemcpyHostToDevice,
                               stream_.get()),
               "copying an object to the device");
    check_cuda(cudaStreamWaitEvent(stream_.get(), level_->ready()), kDoing);
    work_.sizes = tables.sizes_in(tables_.data());
    work_.offsets = tables.offsets_in(tables_.data());
    work_.values = tables.values_in(tables_.data());
    work_.sums = level_->sums();
    work_.squares = level_->squares();
    work_.plane_stride = level_->stride();
    work_.blurred = level_->blurred();
    work_.pitch = level_->width();
    work_.size_count = tables.sizes();
    work_.tile_count = tables.tiles();
    work_.tiles = tiles_.data();
    work_.places = places_.data();
    work_.taken = taken_.data();
    work_.count = count_.data();
    sift_on_device(work_, stream_.get());
  }

  std::span<const LikelyWindow> finish(const ObjectGrid&, const LearntObject&, int,
                                       ObjectFrame& frame) override {
    const OnDevice on(frames_.device());
    wait();
    if (count_[0] > work_.capacity) {
      make_room(static_cast<std::size_t>(count_[0]));
      sift_on_device(work_, stream_.get());
    }
    end();
    frame.show(level_->shown());
    return {list_.data(), static_cast<std::size_t>(count_[0])};
  }

 private:
  void wait() const { check_cuda(cudaStreamSynchronize(stream_.get()), kDoing); }
  void end() {
    wait();
    works_ = false;
    --frames_.working;
  }
  void make_room(std::size_t windows) {
    scratch_.reserve(windows);
    list_.reserve(windows);
    work_.capacity = std::min(scratch_.size(), list_.size());
    work_.scratch = scratch_.data();
    work_.list = list_.data();
  }

  DeviceSieveFrames& frames_;
  CudaStream stream_ = make_stream();
  const DeviceLevel* level_ = nullptr;
  bool works_ = false;
  SiftWork work_{};
  PinnedBuffer<std::uint8_t> staged_tables_;
  DeviceBuffer<std::uint8_t> tables_;
  DeviceBuffer<SiftTile> tiles_;
  DeviceBuffer<std::uint64_t> places_, taken_;
  DeviceBuffer<LikelyWindow> scratch_;
  PinnedBuffer<LikelyWindow> list_;
  PinnedBuffer<std::uint64_t> count_;
};

std::unique_ptr<WindowSieve> DeviceSieveFrames::make_sieve() {
  const OnDevice on(device_);
  return std::make_unique<DeviceWindowSieve>(*this);
}

}  // namespace

std::unique_ptr<SieveFrames> make_sieve_frames_cuda(int, int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<DeviceSieveFrames>(device);
}

}  // namespace winnow
