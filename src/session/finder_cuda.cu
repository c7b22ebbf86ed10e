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
#include "group/group_block_cuda.cuh"
#include "scale/pyramid_cuda.h"
#include "session/batches.h"
#include "session/fan_out.h"
#include "session/finder.h"
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
constexpr int kTooMany = -1;
// Below so many pixels a device judges a few frames as fast as one.
constexpr std::int64_t kSmallPicture = std::int64_t{1} << 20;
// Pixels of a picture that is worth being shared by devices, and copied piece by piece.
constexpr std::int64_t kLargePicture = std::int64_t{4} << 20;

// Where a frame's answer goes, in memory that host and device see.
struct FrameAnswer {
  std::int32_t found;  // objects; kTooMany: survivors that the device does not group
};

struct AnswerJob {
  const DeviceCount* counts;
  const Survivor* survivors;
  const Level* levels;
  std::int32_t counts_per_frame, capacity, level_count, min_neighbors;
  FrameAnswer* answers;
  DeviceCount* counts_out;
  Candidate* objects;
};

// A block a frame: survivors into the order of their windows, their boxes, groups.
__global__ void __launch_bounds__(kGroupThreads) answer_kernel(const __grid_constant__ AnswerJob job) {
  extern __shared__ __align__(16) unsigned char group_memory[];
  auto& m = *reinterpret_cast<GroupMemory*>(group_memory);
  constexpr int kSlotBits = 11;
  static_assert(kMostGrouped == 1 << kSlotBits);
  const int frame = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const DeviceCount* counts = job.counts + static_cast<std::int64_t>(frame) * job.counts_per_frame;
  DeviceCount* counts_out = job.counts_out + static_cast<std::int64_t>(frame) * job.counts_per_frame;
  for (int i = thread; i < job.counts_per_frame; i += kGroupThreads) counts_out[i] = counts[i];
  FrameAnswer& answer = job.answers[frame];
  const DeviceCount found = counts[kFound];
  if (found > static_cast<DeviceCount>(min(job.capacity, kMostGrouped))) {
    if (thread == 0) answer.found = kTooMany;
    return;
  }
  const int count = static_cast<int>(found);
  const Survivor* survivors = job.survivors + static_cast<std::int64_t>(frame) * job.capacity;
  for (int i = thread; i < count; i += kGroupThreads) {
    m.keys[i] = static_cast<std::uint64_t>(survivors[i].window) << kSlotBits | static_cast<std::uint32_t>(i);
  }
  __syncthreads();
  sort_keys(m.keys, count);
  Candidate* objects = job.objects + static_cast<std::int64_t>(frame) * kMostGrouped;
  for (int i = thread; i < count; i += kGroupThreads) {
    const auto window = static_cast<std::int64_t>(m.keys[i] >> kSlotBits);
    int low = 0, high = job.level_count;  // the last level that starts at or before the window
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (job.levels[middle].first_window <= window) {
        low = middle;
      } else {
        high = middle;
      }
    }
    const Level& level = job.levels[low];
    const std::int64_t inside = window - level.first_window;
    m.boxes[i] = window_box(level, static_cast<int>(inside % level.cols) * level.step,
                            static_cast<int>(inside / level.cols) * level.step);
    m.scores[i] = survivors[m.keys[i] & ((1 << kSlotBits) - 1)].score;
    if (job.min_neighbors <= 0) objects[i] = {m.boxes[i], m.scores[i], 1};
  }
  __syncthreads();
  int objects_found = count;
  if (job.min_neighbors > 0) objects_found = group_block(m, count, job.min_neighbors, kGroupEps, objects);
  if (thread == 0) answer.found = objects_found;
}

// Buffers and graphs for one batch in flight.
class Lane {
 public:
  explicit Lane(const Cascade& cascade) : sieve_(make_device_sieve(cascade)) {
    allow_block_memory(reinterpret_cast<const void*>(answer_kernel));
  }

  void plan(const FindRequest& request, int frames, int capacity) {
    if (request.plan_number == planned_ && frames <= frames_ && capacity <= sieve_->capacity()) return;
    const CudaRange range("winnow: plan");
    frames_ = std::max(frames, request.plan_number == planned_ ? frames_ : 0);
    planned_ = request.plan_number;
    picture_ = request.picture;
    graphs_ = {};
    const auto count = static_cast<std::size_t>(frames_);
    staging_.reserve(bytes() * count);
    std::memset(staging_.data(), 0, bytes() * count);
    frames_on_device_.reserve(bytes() * count);
    pyramid_.plan(picture_, *request.plan, frames_);
    sieve_->plan(*request.plan, frames_, std::max(capacity, sieve_->capacity()));
    upload(std::span<const Level>(request.plan->levels), levels_);
    level_count_ = static_cast<int>(request.plan->levels.size());
    answers_.reserve(count);
    counts_.reserve(count * static_cast<std::size_t>(sieve_->counts_per_frame()));
    objects_.reserve(count * static_cast<std::size_t>(kMostGrouped));
  }

  // `frames`: a power of two. Those beyond the pictures are what was there before.
  void start(std::span<const GrayView> pictures, std::size_t frames, int min_neighbors) {
    {
      const CudaRange range("winnow: stage pictures");
      stager_.stage(pictures, staging_.data());
    }
    const CudaRange range("winnow: start batch");
    const auto count = static_cast<int>(frames);
    Graph& graph = graphs_[static_cast<std::size_t>(std::countr_zero(frames))];
    if (graph.min_neighbors != min_neighbors) {
      // Perhaps the only batch like this, where pictures have many sizes: a graph costs more than it spares.
      graph = {min_neighbors, {}};
      return enqueue(count, min_neighbors, stream_.get());
    }
    if (!graph.captured) {
      const CudaRange making("winnow: make graph");
      graph.captured =
          capture_graph(stream_.get(), [&](cudaStream_t stream) { enqueue(count, min_neighbors, stream); });
    }
    check_cuda(cudaGraphLaunch(graph.captured.get(), stream_.get()), "starting a batch");
  }
  void wait() const {
    const CudaRange range("winnow: wait for batch");
    check_cuda(cudaStreamSynchronize(stream_.get()), "searching a batch");
  }

  bool grouped(int frame) const { return answers_[static_cast<std::size_t>(frame)].found != kTooMany; }
  std::span<const Candidate> objects(int frame) const {
    const auto at = static_cast<std::size_t>(frame);
    return {objects_.data() + at * static_cast<std::size_t>(kMostGrouped),
            static_cast<std::size_t>(answers_[at].found)};
  }
  std::span<const DeviceCount> counts(int frame) const {
    const auto size = static_cast<std::size_t>(sieve_->counts_per_frame());
    return {counts_.data() + static_cast<std::size_t>(frame) * size, size};
  }
  int capacity() const { return sieve_->capacity(); }
  // All that there are, in the order of their windows; there must be room for them.
  void survivors(int frame, std::vector<Survivor>& list) const {
    sieve_->copy_survivors(frame, static_cast<std::size_t>(counts(frame)[kFound]), list);
  }

 private:
  struct Graph {
    int min_neighbors = -1;  // of the batch before, of as many frames
    CudaGraph captured;
  };

  std::size_t bytes() const { return static_cast<std::size_t>(frame_bytes(picture_)); }

  void enqueue(int frames, int min_neighbors, cudaStream_t stream) {
    const std::size_t count = static_cast<std::size_t>(frames);
    check_cuda(cudaMemcpyAsync(frames_on_device_.data(), staging_.data(), bytes() * count,
                               cudaMemcpyHostToDevice, stream),
               "copying frames to the device");
    pyramid_.enqueue(frames_on_device_.data(), frames, stream);
    sieve_->enqueue(pyramid_.view(frames_on_device_.data()), frames, stream);
    AnswerJob job{sieve_->counts(),   sieve_->survivors(), levels_.data(), sieve_->counts_per_frame(),
                  sieve_->capacity(), level_count_,        min_neighbors,  answers_.data(),
                  counts_.data(),     objects_.data()};
    answer_kernel<<<static_cast<unsigned>(frames), kGroupThreads, sizeof(GroupMemory), stream>>>(job);
    check_launch("launching the answers' kernel");
  }

  Stager stager_;
  CudaStream stream_ = make_stream();
  int planned_ = 0, frames_ = 0, level_count_ = 0;
  Size picture_;
  PinnedBuffer<std::uint8_t> staging_;
  DeviceBuffer<std::uint8_t> frames_on_device_;
  DevicePyramid pyramid_;
  std::unique_ptr<DeviceSieve> sieve_;
  DeviceBuffer<Level> levels_;
  PinnedBuffer<FrameAnswer> answers_;
  PinnedBuffer<DeviceCount> counts_;
  PinnedBuffer<Candidate> objects_;
  std::array<Graph, kGraphs> graphs_;  // of 1, 2, 4, ... frames
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
      read_counts(lane.counts(frame), cascade_.model(), *request.plan, result.counters);
      if (lane.grouped(frame)) {
        fill_objects(lane.objects(frame), request, result);
      } else {
        group_on_host(lane, frame, batch.pictures()[i], request, result);
      }
    }
  }

  // A frame with so many survivors that the device does not group them, and perhaps has had no room for all.
  void group_on_host(const Lane& lane, int frame, GrayView picture, const FindRequest& request,
                     Detections& result) {
    const CudaRange range("winnow: group a crowd");
    const int room = room_for(lane.counts(frame)[kFound]);
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
    if (!failure_.empty()) {
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
        } else if (one_by_one(job)) {
          for (std::size_t i = 0; i < job.pictures.size(); ++i)
            split_->find(job.pictures[i], job.request, job.results[i]);
        } else {
          batches_.add(job, most_frames(job, pictures), frame_bytes(job.request.picture) < kSmallPicture);
        }
      }
      if (!batches_.empty()) find_batches();
    } catch (const Error& error) {
      failure_ = error.sentence();
      throw;
    } catch (const std::bad_alloc&) {
      failure_ = "the host is out of memory";
      throw;
    } catch (const std::exception& error) {
      failure_ = error.what();
      throw;
    }
  }

 private:
  // Large pictures, too few for every device to have one.
  bool one_by_one(const FindJob& job) {
    const Size picture = job.request.picture;
    if (std::int64_t{picture.width} * picture.height < kLargePicture) return false;
    if (job.pictures.size() > 1 && job.pictures.size() >= devices_.size()) return false;
    if (split_ == nullptr) {
      std::vector<int> numbers;
      for (const auto& device : devices_) numbers.push_back(device->number());
      split_ = std::make_unique<SplitFinder>(cascade_, numbers);
    }
    return split_->usable();
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
  std::unique_ptr<SplitFinder> split_;
  Batches batches_;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Finder> make_finder_cuda(const Cascade& cascade, std::span<const int> devices) {
  return std::make_unique<FinderCuda>(cascade, devices);
}

}  // namespace winnow
