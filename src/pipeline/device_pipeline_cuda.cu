#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_range.h"
#include "base/device/cuda_uploads.h"
#include "base/fan_out.h"
#include "image/border.h"
#include "pipeline/batches.h"
#include "pipeline/device_pipeline_cuda.h"
#include "pipeline/follow_devices_cuda.h"
#include "pipeline/mark_step_cuda.h"
#include "pipeline/split_pipeline_cuda.h"
#include "scale/frames/frame_batch_cuda.h"

namespace winnow {
namespace {

// The most frames of a batch, a power of two. More frames would not use the device better. kMostBytes, the
// most bytes of a batch's pictures and levels, may allow fewer frames.
constexpr int kMostFrames = 64;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
// A picture of fewer bytes is small: a device judges a few such frames as fast as one.
constexpr std::int64_t kSmallPicture = std::int64_t{1} << 20;
// From kPicturePieces pixels on, a picture alone in its call is copied piece by piece. From kSharedPicture
// pixels on, the devices divide a picture.
constexpr std::int64_t kPicturePieces = std::int64_t{1920} << 10, kSharedPicture = std::int64_t{4} << 20;

// A batch and its steps: a search and, if `marks` is given, a step that marks points in the objects.
struct Flight {
  Flight(const DeviceKind& kind, std::shared_ptr<const DeviceShapeProgram> marks)
      : search(batch.add(std::make_unique<DeviceSearch>(
            kind.make_sieve(), 0, marks != nullptr ? ObjectsHome::kDevice : ObjectsHome::kHost))) {
    if (marks != nullptr)
      marked = &batch.add(std::make_unique<MarkStep>(search, std::move(marks), kind.marks->place));
  }
  TableMemory tables;  // through which the tables of a plan travel; it is freed last
  FrameBatch batch;
  DeviceSearch& search;
  MarkStep* marked = nullptr;
  FrameForm form;  // the form that the batch was planned for
};

// A device with its batches in flight. `search` uses two batches: the host uploads one while the device
// searches the other. `enqueue` uses all kRing batches.
struct Device {
  static constexpr std::size_t kRing = Pipeline::kMostPending;

  Device(const DeviceKind& kind, int device_number)
      : number(device_number), reader(kind.make_sieve, kind.merge) {
    if (kind.marks) marks = std::make_shared<const DeviceShapeProgram>(*kind.marks->program);
  }
  int number;
  ResultReader reader;
  std::shared_ptr<const DeviceShapeProgram> marks;     // null if the pipeline marks no points
  std::array<std::unique_ptr<Flight>, kRing> flights;  // made when they are first needed
  std::size_t oldest = 0, pending = 0;  // index of the oldest flight, and number of flights not collected yet
  // For ranges of windows (`sift`). Two batches stay planned, since a range may need two plans. The batch
  // used last comes first.
  std::array<std::unique_ptr<Flight>, 2> sifting;
};

class DevicePipeline final : public Pipeline, private FollowPipeline {
 public:
  DevicePipeline(const DeviceKind& kind, std::span<const int> devices) : kind_(kind) {
    for (const int device : devices) {
      require_cuda_device(device);
      const OnDevice on(device);
      devices_.push_back(std::make_unique<Device>(kind, device));
      flight(*devices_.back(), 0);
    }
  }

  void search(std::span<const SearchJob> jobs) override {
    guarded([&] {
      batches_.clear();
      std::size_t pictures = 0;
      for (const SearchJob& job : jobs) pictures += job.pictures.size();
      for (const SearchJob& job : jobs) {
        if (job.source.on_device()) place_of(job.source.device);  // throws for a device that is not used
        if (job.request.plan->window_count == 0) {
          for (std::size_t i = 0; i < job.pictures.size(); ++i) nothing_in(job.results[i]);
        } else if (job.source.on_device()) {
          search_where_it_lies(job, pictures);
        } else if (SplitPipeline* by_rows = one_by_one(job, pictures)) {
          for (std::size_t i = 0; i < job.pictures.size(); ++i)
            by_rows->search(bordered(job.pictures[i].gray, job.request), job.request, job.results[i]);
        } else {
          batches_.add(job, most_frames(job, pictures, devices_.size()), fills(job));
        }
      }
      if (!batches_.empty()) search_batches();
    });
  }

  // Pictures in host memory go to the devices in turn. A picture that lies on a device goes to that device.
  void enqueue(const SearchRequest& request, const PictureView& picture, PictureSource source) override {
    guarded([&] {
      const std::size_t to = source.on_device() ? place_of(source.device) : next_++ % devices_.size();
      const bool windows = request.plan->window_count > 0;
      if (windows) enqueue_on(*devices_[to], request, picture, source);
      pending_.push_back({to, windows});
    });
  }
  void collect(Detections& result) override {
    guarded([&] {
      const Pending first = pending_.front();
      pending_.pop_front();
      if (first.windows) {
        collect_from(*devices_[first.device], result);
      } else {
        nothing_in(result);
      }
    });
  }

  bool adds_borders() const override { return true; }

  FollowPipeline* following() override { return kind_.marks && !kind_.table ? this : nullptr; }

  // A picture in host memory goes to the first device. A picture that lies on a device goes to that device.
  void sift(const SearchRequest& request, const PictureView& picture, PictureSource source,
            SieveResult& result) override {
    guarded([&] {
      Device& device = *devices_[source.on_device() ? place_of(source.device) : 0];
      if (request.plan->window_count > 0) return sift_on(device, request, picture, source, result);
      result.survivors.clear();
      result.windows = result.skipped = result.flat = result.weak = 0;
      result.reached.assign(kind_.stages + 1, 0);
    });
  }

 private:
  struct Pending {
    std::size_t device;
    bool windows;  // false: the picture has no windows, and no device searches it
  };

  void follow(std::span<const FollowJob> jobs, const FlowRules& rules) override {
    guarded([&] {
      if (follow_ == nullptr) {
        std::vector<int> numbers;
        for (const auto& device : devices_) numbers.push_back(device->number);
        follow_ = std::make_unique<FollowDevices>(kind_, numbers);
      }
      follow_->follow(jobs, rules);
    });
  }
  void forget(int video) override {
    if (follow_ != nullptr && !failed_) guarded([&] { follow_->forget(video); });
  }

  // The device must be current.
  Flight& flight(Device& device, std::size_t at) {
    auto& flight = device.flights[at];
    if (flight == nullptr) flight = std::make_unique<Flight>(kind_, device.marks);
    return *flight;
  }

  void start(Flight& flight, std::span<const PictureView> pictures, PictureSource source, std::size_t frames,
             std::size_t most, const SearchRequest& request) const {
    const FrameForm form{request.color ? 3 : 1, kind_.table, request.margin};
    // The flight's previous batch has ended. Its next one waits for the tables, but this thread does not.
    const UploadsOn uploads(flight.batch.stream(), flight.tables);
    const bool anew = flight.search.plan(request, static_cast<int>(most));
    if (anew || form != flight.form) {
      const FrameWish wish{request.plan, form};
      flight.batch.plan(request.picture, {&wish, 1}, flight.search.frames());
      flight.form = form;
    }
    if (flight.marked != nullptr) flight.marked->plan(flight.search.frames());
    flight.batch.start(pictures, source, static_cast<int>(frames));
  }

  // Searches batches on a device. While the device searches a batch, the host uploads the next one.
  void search_on(Device& device, Batches& batches) {
    const OnDevice on(device.number);
    std::array<const Batch*, 2> flying{};
    const auto finish = [&](std::size_t at) {
      const Batch* batch = std::exchange(flying[at], nullptr);
      if (batch == nullptr) return;
      const Flight& done = flight(device, at);
      done.batch.wait();
      const CudaRange range("winnow: read answers");
      for (std::size_t i = 0; i < batch->count; ++i) {
        const int frame = static_cast<int>(i);
        device.reader.read(done.search, done.batch.view(), frame, batch->result(i));
        if (PictureShapes* shapes = batch->shapes(i); shapes != nullptr && done.marked != nullptr)
          done.marked->read(frame, *shapes);
      }
    };
    for (std::size_t at = 0;; at ^= 1) {
      finish(at);
      const Batch* batch = batches.next();
      if (batch == nullptr) return finish(at ^ 1);
      start(flight(device, at), batch->pictures(), batch->job->source, batch->frames, batch->most,
            batch->job->request);
      flying[at] = batch;
    }
  }

  void enqueue_on(Device& device, const SearchRequest& request, const PictureView& picture,
                  PictureSource source) {
    const OnDevice on(device.number);
    start(flight(device, (device.oldest + device.pending) % Device::kRing), {&picture, 1}, source, 1, 1,
          request);
    ++device.pending;
  }
  void collect_from(Device& device, Detections& result) {
    const OnDevice on(device.number);
    const Flight& done = flight(device, device.oldest);
    device.oldest = (device.oldest + 1) % Device::kRing;
    --device.pending;
    done.batch.wait();
    device.reader.read(done.search, done.batch.view(), 0, result);
  }

  void sift_on(Device& device, const SearchRequest& request, const PictureView& picture, PictureSource source,
               SieveResult& result) {
    const OnDevice on(device.number);
    for (auto& flight : device.sifting) {
      if (flight == nullptr) flight = std::make_unique<Flight>(kind_, nullptr);
    }
    auto& [first, second] = device.sifting;
    if (first->search.request().plan_number != request.plan_number) std::swap(first, second);
    start(*first, {&picture, 1}, source, 1, 1, request);
    first->batch.wait();
    device.reader.read(first->search, first->batch.view(), 0, result);
  }

  // After any error but kUsage, all further calls of the pipeline fail.
  template <class Work>
  void guarded(Work work) {
    if (failed_) {
      throw Error(ErrorCode::kDevice,
                  "this detector's device failed before, and it cannot go on: " + failure_);
    }
    try {
      work();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kUsage) throw;
      fail(error.sentence().c_str());
      throw;
    } catch (const std::bad_alloc&) {
      fail("the host is out of memory");
      throw;
    } catch (const std::exception& error) {
      fail(error.what());
      throw;
    }
  }

  // Waits for all devices: one may still be copying pictures that the caller may free after the failed call.
  // Keeps `why` for later errors, unless memory is too short for a copy of it.
  void fail(const char* why) noexcept {
    failed_ = true;
    int before = 0;
    cudaGetDevice(&before);
    for (const auto& device : devices_) {
      if (cudaSetDevice(device->number) == cudaSuccess) cudaDeviceSynchronize();
    }
    cudaSetDevice(before);
    cudaGetLastError();
    try {
      failure_ = why;
    } catch (const std::bad_alloc&) {
      failure_.clear();
    }
  }

  std::size_t place_of(int device) const {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (devices_[i]->number == device) return i;
    }
    throw Error(ErrorCode::kUsage,
                "a picture lies on device " + std::to_string(device) +
                    ", which this detector does not use; name it in MachineOptions::devices");
  }

  // Searches a job's pictures in batches, on the device on which the pictures lie.
  void search_where_it_lies(const SearchJob& job, std::size_t pictures) {
    Batches batches;
    batches.add(job, most_frames(job, pictures, 1), fills(job));
    search_on(*devices_[place_of(job.source.device)], batches);
  }

  // Returns the pipeline that searches by rows, or null if the job's pictures go in batches. The opening
  // comment of device_pipeline_cuda.h says which pictures are searched by rows.
  SplitPipeline* one_by_one(const SearchJob& job, std::size_t pictures) {
    if (!kind_.make_tile_sieve || job.request.color) return nullptr;
    const std::int64_t pixels = std::int64_t{job.request.picture.width} * job.request.picture.height;
    const bool shared =
        pixels >= kSharedPicture && (job.pictures.size() == 1 || job.pictures.size() < devices_.size());
    if (!shared && (pixels < kPicturePieces || pictures > 1)) return nullptr;
    const std::size_t count = shared ? devices_.size() : 1;
    auto& split = by_rows_[count > 1 ? 1 : 0];
    if (split == nullptr) {
      std::vector<int> numbers;
      for (std::size_t i = 0; i < count; ++i) numbers.push_back(devices_[i]->number);
      split = std::make_unique<SplitPipeline>(kind_, numbers);
    }
    return split->usable() ? split.get() : nullptr;
  }

  // Returns the picture with its border, for a search by rows. The view is valid until the next call.
  GrayView bordered(GrayView picture, const SearchRequest& request) {
    if (request.margin == 0) return picture;
    const Size size = request.picture;
    if (bordered_.width() != size.width || bordered_.height() != size.height)
      bordered_ = GrayImage(size.width, size.height);
    add_border(picture, request.margin, bordered_.view());
    return std::as_const(bordered_).view();
  }

  void search_batches() {
    fan_out(devices_.size(), [&](std::size_t device) {
      try {
        search_on(*devices_[device], batches_);
      } catch (...) {
        batches_.stop();
        throw;
      }
    });
  }

  // Whether frames without a picture may fill up a batch.
  static bool fills(const SearchJob& job) { return frame_bytes(job.request.picture) < kSmallPicture; }

  // The most frames of a batch of the job. If the call has enough pictures, each device gets two batches in
  // flight.
  std::size_t most_frames(const SearchJob& job, std::size_t pictures, std::size_t devices) const {
    std::int64_t pixels = frame_bytes(job.request.picture);
    for (const Level& level : job.request.plan->levels) pixels += frame_bytes({level.width, level.height});
    if (job.request.color) pixels *= 3;
    const std::int64_t fit =
        std::clamp<std::int64_t>(kMostBytes / std::max<std::int64_t>(pixels, 1), 1, kMostFrames);
    const std::size_t flights = 2 * devices, per_flight = (pictures + flights - 1) / flights;
    return std::bit_floor(std::min({per_flight, job.pictures.size(), static_cast<std::size_t>(fit)}));
  }

  // Gives the answer for a picture without windows.
  void nothing_in(Detections& result) const {
    result.objects.clear();
    result.counters = {};
    result.counters.reached.assign(kind_.stages + 1, 0);
  }

  DeviceKind kind_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::array<std::unique_ptr<SplitPipeline>, 2> by_rows_;  // [0]: on the first device; [1]: on all
  std::unique_ptr<FollowDevices> follow_;                  // made when a video is first followed
  GrayImage bordered_;                                     // what `bordered` made last
  Batches batches_;
  std::deque<Pending> pending_;
  std::size_t next_ = 0;
  bool failed_ = false;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Pipeline> make_device_pipeline(const DeviceKind& kind, std::span<const int> devices) {
  return std::make_unique<DevicePipeline>(kind, devices);
}

}  // namespace winnow
