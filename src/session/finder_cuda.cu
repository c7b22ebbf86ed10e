#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "base/cuda_device.h"
#include "base/cuda_memory.h"
#include "base/cuda_range.h"
#include "base/fan_out.h"
#include "scale/pyramid_cuda.h"
#include "session/answers_cuda.h"
#include "session/batches.h"
#include "session/finder.h"
#include "session/pinned_picture_cuda.h"
#include "session/split_finder_cuda.h"
#include "session/stager.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {
namespace {

// Frames of a batch, a power of two. More of them fill the device no better; the memory they take is another
// limit.
constexpr int kMostFrames = 64;
constexpr std::size_t kGraphs = 7;
static_assert(kMostFrames == 1 << (kGraphs - 1));
constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;
// Survivors of a frame that there is room for at first; with more, the frame runs again with room for them.
constexpr int kFirstCapacity = 4096;
// Below so many pixels a device judges a few frames as fast as one.
constexpr std::int64_t kSmallPicture = std::int64_t{1} << 20;
// Pixels of a picture alone that is worth being copied piece by piece, and of one worth being shared by
// devices.
constexpr std::int64_t kPicturePieces = std::int64_t{1920} << 10, kSharedPicture = std::int64_t{4} << 20;

// Buffers and graphs for one batch in flight.
class Lane {
 public:
  explicit Lane(const Cascade& cascade) : sieve_(make_device_sieve(cascade)) {}

  void plan(const FindRequest& request, int frames, int capacity) {
    if (request.plan_number == planned_ && frames <= frames_ && capacity <= sieve_->capacity()) return;
    const CudaRange range("winnow: plan");
    frames_ = std::max(frames, request.plan_number == planned_ ? frames_ : 0);
    planned_ = request.plan_number;
    picture_ = request.picture;
    graphs_ = {};
    direct_graphs_ = {};
    const auto count = static_cast<std::size_t>(frames_);
    staging_.reserve(bytes() * count);
    std::memset(staging_.data(), 0, bytes() * count);
    frames_on_device_.reserve(bytes() * count);
    check_cuda(cudaMemsetAsync(frames_on_device_.data(), 0, bytes() * count, stream_.get()),
               "clearing frames");
    pyramid_.plan(picture_, *request.plan, frames_);
    sieve_->plan(*request.plan, frames_, std::max(capacity, sieve_->capacity()));
    answers_.plan(*request.plan, frames_, sieve_->counts_per_frame());
  }

  // `frames`: a power of two. Those beyond the pictures are what was there before.
  void start(std::span<const GrayView> pictures, std::size_t frames, int min_neighbors) {
    // Pictures that a device reaches by itself are copied before the graph begins, others with it.
    const bool direct = std::all_of(pictures.begin(), pictures.end(), lies_pinned);
    if (direct) {
      const CudaRange range("winnow: copy pinned pictures");
      for (std::size_t i = 0; i < pictures.size(); ++i) {
        copy_pinned(pictures[i], {0, picture_.height}, frames_on_device_.data() + i * bytes(), stream_.get());
      }
    } else {
      const CudaRange range("winnow: stage pictures");
      stager_.stage(pictures, staging_.data());
    }
    const CudaRange range("winnow: start batch");
    const std::size_t staged = direct ? 0 : frames;
    Graph& graph = (direct ? direct_graphs_ : graphs_)[static_cast<std::size_t>(std::countr_zero(frames))];
    if (graph.min_neighbors != min_neighbors) {
      // Perhaps the only batch like this, where pictures have many sizes: a graph costs more than it spares.
      graph = {min_neighbors, {}};
      return enqueue(staged, frames, min_neighbors, stream_.get());
    }
    if (!graph.captured) {
      const CudaRange making("winnow: make graph");
      graph.captured = capture_graph(
          stream_.get(), [&](cudaStream_t stream) { enqueue(staged, frames, min_neighbors, stream); });
    }
    check_cuda(cudaGraphLaunch(graph.captured.get(), stream_.get()), "starting a batch");
  }
  void wait() const {
    const CudaRange range("winnow: wait for batch");
    check_cuda(cudaStreamSynchronize(stream_.get()), "searching a batch");
  }

  const DeviceAnswers& answers() const { return answers_; }
  int capacity() const { return sieve_->capacity(); }
  // All that there are, in the order of their windows; there must be room for them.
  void survivors(int frame, std::vector<Survivor>& list) const {
    sieve_->copy_survivors(frame, static_cast<std::size_t>(answers_.counts(frame)[kFound]), list);
  }

 private:
  struct Graph {
    int min_neighbors = -1;  // of the batch before, of as many frames
    CudaGraph captured;
  };

  std::size_t bytes() const { return static_cast<std::size_t>(frame_bytes(picture_)); }

  void enqueue(std::size_t staged, std::size_t count, int min_neighbors, cudaStream_t stream) {
    if (staged > 0) {
      check_cuda(cudaMemcpyAsync(frames_on_device_.data(), staging_.data(), bytes() * staged,
                                 cudaMemcpyHostToDevice, stream),
                 "copying frames to the device");
    }
    const int frames = static_cast<int>(count);
    pyramid_.enqueue(frames_on_device_.data(), frames, stream);
    sieve_->enqueue(pyramid_.view(frames_on_device_.data()), frames, stream);
    answers_.enqueue(*sieve_, frames, min_neighbors, stream);
  }

  Stager stager_;
  CudaStream stream_ = make_stream();
  int planned_ = 0, frames_ = 0;
  Size picture_;
  PinnedBuffer<std::uint8_t> staging_;
  DeviceBuffer<std::uint8_t> frames_on_device_;
  DevicePyramid pyramid_;
  std::unique_ptr<DeviceSieve> sieve_;
  DeviceAnswers answers_;
  std::array<Graph, kGraphs> graphs_, direct_graphs_;  // of 1, 2, 4, ... frames; without their copying
};

// One device's part.
class DeviceFinder {
 public:
  DeviceFinder(const Cascade& cascade, int device) : cascade_(cascade), device_(device) {
    require_cuda_device(device);
    lane(0);
  }

  int number() const { return device_; }

  // While one lane's batch is searched, the next is made ready and copied into the other's.
  void find(Batches& batches) {
    const OnDevice on(device_);
    std::array<const Batch*, 2> flying{};
    const auto finish = [&](int at) {
      if (const Batch* batch = std::exchange(flying[static_cast<std::size_t>(at)], nullptr))
        collect(lane(at), *batch);
    };
    int at = 0;
    while (true) {
      finish(at);
      const Batch* batch = batches.next();
      if (batch == nullptr) break;
      const FindRequest& request = batch->job->request;
      lane(at).plan(request, static_cast<int>(batch->most), kFirstCapacity);
      lane(at).start(batch->pictures(), batch->frames, request.min_neighbors);
      flying[static_cast<std::size_t>(at)] = batch;
      at ^= 1;
    }
    finish(at ^ 1);
  }

 private:
  Lane& lane(int at) {
    auto& lane = lanes_[static_cast<std::size_t>(at)];
    if (lane == nullptr) {
      const OnDevice on(device_);
      lane = std::make_unique<Lane>(cascade_);
    }
    return *lane;
  }

  void collect(Lane& lane, const Batch& batch) {
    lane.wait();
    const CudaRange range("winnow: read answers");
    const FindRequest& request = batch.job->request;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const int frame = static_cast<int>(i);
      Detections& result = batch.results()[i];
      read_counts(lane.answers().counts(frame), cascade_.model(), *request.plan, result.counters);
      if (lane.answers().grouped(frame)) {
        fill_objects(lane.answers().objects(frame), request, result);
      } else {
        group_on_host(lane, frame, batch.pictures()[i], request, result);
      }
    }
  }

  // A frame with so many survivors that the device does not group them, and perhaps has had no room for all.
  void group_on_host(const Lane& lane, int frame, GrayView picture, const FindRequest& request,
                     Detections& result) {
    const CudaRange range("winnow: group a crowd");
    const int room = room_for(lane.answers().counts(frame)[kFound]);
    if (room <= lane.capacity()) {
      lane.survivors(frame, survivors_);
    } else {
      if (crowded_ == nullptr) crowded_ = std::make_unique<Lane>(cascade_);
      crowded_->plan(request, 1, room);
      crowded_->start({&picture, 1}, 1, request.min_neighbors);
      crowded_->wait();
      crowded_->survivors(0, survivors_);
    }
    grouping_.group(survivors_, request, result);
  }

  Cascade cascade_;
  int device_;
  std::array<std::unique_ptr<Lane>, 2> lanes_;
  std::unique_ptr<Lane> crowded_;
  std::vector<Survivor> survivors_;
  HostGrouping grouping_;
};

class FinderCuda final : public Finder {
 public:
  FinderCuda(const Cascade& cascade, std::span<const int> devices) : cascade_(cascade) {
    for (const int device : devices) devices_.push_back(std::make_unique<DeviceFinder>(cascade, device));
  }

  void find(std::span<const FindJob> jobs) override {
    if (failed_) {
      throw Error(ErrorCode::kDevice,
                  "this detector's device failed before, and it cannot go on: " + failure_);
    }
    try {
      batches_.clear();
      std::size_t pictures = 0;
      for (const FindJob& job : jobs) pictures += job.pictures.size();
      for (const FindJob& job : jobs) {
        if (job.request.plan->window_count == 0) {
          for (Detections& result : job.results) nothing_in(result);
        } else if (SplitFinder* by_rows = one_by_one(job, pictures)) {
          for (std::size_t i = 0; i < job.pictures.size(); ++i)
            by_rows->find(job.pictures[i], job.request, job.results[i]);
        } else {
          batches_.add(job, most_frames(job, pictures), frame_bytes(job.request.picture) < kSmallPicture);
        }
      }
      if (!batches_.empty()) find_batches();
    } catch (const Error& error) {
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

 private:
  // Devices may still be fetching pictures, whose memory is the caller's again once this is over. Perhaps
  // there is no memory left to say why.
  void fail(const char* why) noexcept {
    failed_ = true;
    int before = 0;
    cudaGetDevice(&before);
    for (const auto& device : devices_) {
      if (cudaSetDevice(device->number()) == cudaSuccess) cudaDeviceSynchronize();
    }
    cudaSetDevice(before);
    cudaGetLastError();
    try {
      failure_ = why;
    } catch (const std::bad_alloc&) {
      failure_.clear();
    }
  }

  // Who searches large pictures of which there are too few for every device to have one, or a picture alone,
  // of a call of so many pictures; null: they go in batches.
  SplitFinder* one_by_one(const FindJob& job, std::size_t pictures) {
    const std::int64_t pixels = std::int64_t{job.request.picture.width} * job.request.picture.height;
    const bool shared =
        pixels >= kSharedPicture && (job.pictures.size() == 1 || job.pictures.size() < devices_.size());
    if (!shared && (pixels < kPicturePieces || pictures > 1)) return nullptr;
    const std::size_t count = shared ? devices_.size() : 1;
    auto& finder = by_rows_[count > 1 ? 1 : 0];
    if (finder == nullptr) {
      std::vector<int> numbers;
      for (std::size_t i = 0; i < count; ++i) numbers.push_back(devices_[i]->number());
      finder = std::make_unique<SplitFinder>(cascade_, numbers);
    }
    return finder->usable() ? finder.get() : nullptr;
  }

  void find_batches() {
    fan_out(devices_.size(), [&](std::size_t device) {
      try {
        devices_[device]->find(batches_);
      } catch (...) {
        batches_.stop();
        throw;
      }
    });
  }

  // Of a batch of the job: two batches in flight on each device, if the call has enough pictures for that.
  std::size_t most_frames(const FindJob& job, std::size_t pictures) const {
    std::int64_t pixels = frame_bytes(job.request.picture);
    for (const Level& level : job.request.plan->levels) pixels += frame_bytes({level.width, level.height});
    const std::int64_t fit =
        std::clamp<std::int64_t>(kMostBytes / std::max<std::int64_t>(pixels, 1), 1, kMostFrames);
    const std::size_t lanes = 2 * devices_.size(), share = (pictures + lanes - 1) / lanes;
    return std::bit_floor(std::min({share, job.pictures.size(), static_cast<std::size_t>(fit)}));
  }

  // Of a picture without windows.
  void nothing_in(Detections& result) const {
    result.objects.clear();
    result.counters = {};
    result.counters.reached.assign(cascade_.model().stages.size() + 1, 0);
  }

  Cascade cascade_;
  std::vector<std::unique_ptr<DeviceFinder>> devices_;
  std::array<std::unique_ptr<SplitFinder>, 2> by_rows_;  // on the first device; on all
  Batches batches_;
  bool failed_ = false;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Finder> make_finder_cuda(const Cascade& cascade, std::span<const int> devices) {
  return std::make_unique<FinderCuda>(cascade, devices);
}

}  // namespace winnow
