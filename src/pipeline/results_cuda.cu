#include "pipeline/results_cuda.h"

#include "group/group_block_cuda.cuh"
#include "pipeline/pipeline.h"

namespace winnow {
namespace {

struct ResultJob {
  const DeviceCount* counts;
  const Survivor* survivors;
  const Level* levels;
  std::int32_t counts_per_frame, capacity, level_count, min_neighbors;
  MeanRule mean;
  bool finishes;
  ObjectRule rule;
  std::int32_t* found;
  DeviceCount* counts_out;
  Candidate* objects;
};

// Applies `finish_object`, and moves the objects that the caller gets to the front, in the same order. All
// threads of the block call this function. `kept_by_warp`: shared memory, one number per warp. Returns the
// number of objects that are left.
__device__ int finish_objects(const ObjectRule& rule, Candidate* objects, int count,
                              std::int32_t* kept_by_warp) {
  constexpr int kWarps = kGroupThreads / 32;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  int kept = 0;
  for (int first = 0; first < count; first += kGroupThreads) {
    Candidate object;
    bool keep = first + thread < count;
    if (keep) {
      object = objects[first + thread];
      keep = finish_object(rule, object);
    }
    const unsigned keepers = __ballot_sync(0xffffffff, keep);
    if (lane == 0) kept_by_warp[warp] = __popc(keepers);
    __syncthreads();  // every thread has read its object, and objects move only to the front
    int place = kept + __popc(keepers & ((1u << lane) - 1));
    for (int w = 0; w < kWarps; ++w) {
      if (w < warp) place += kept_by_warp[w];
      kept += kept_by_warp[w];
    }
    if (keep) objects[place] = object;
    __syncthreads();
  }
  return kept;
}

// One block of threads per frame: sorts survivors by window, makes their boxes, and groups them.
template <int kMost>
__global__ void __launch_bounds__(kGroupThreads) result_kernel(const __grid_constant__ ResultJob job) {
  extern __shared__ __align__(16) unsigned char group_memory[];
  auto& m = *reinterpret_cast<GroupMemory<kMost>*>(group_memory);
  constexpr int kSlotBits = 11;
  static_assert(kMostGrouped == 1 << kSlotBits);
  const int frame = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const DeviceCount* counts = job.counts + static_cast<std::int64_t>(frame) * job.counts_per_frame;
  DeviceCount* counts_out = job.counts_out + static_cast<std::int64_t>(frame) * job.counts_per_frame;
  for (int i = thread; i < job.counts_per_frame; i += kGroupThreads) counts_out[i] = counts[i];
  const DeviceCount found = counts[kFound];
  if (found > static_cast<DeviceCount>(min(job.capacity, kMost))) {
    if (thread == 0) job.found[frame] = DeviceResults::kTooMany;
    return;
  }
  const int count = static_cast<int>(found);
  const Survivor* survivors = job.survivors + static_cast<std::int64_t>(frame) * job.capacity;
  for (int i = thread; i < count; i += kGroupThreads) {
    m.keys[i] = static_cast<std::uint64_t>(survivors[i].window) << kSlotBits | static_cast<std::uint32_t>(i);
  }
  __syncthreads();
  sort_keys(m, count);
  Candidate* objects = job.objects + static_cast<std::int64_t>(frame) * kMostGrouped;
  for (int i = thread; i < count; i += kGroupThreads) {
    const auto window = static_cast<std::int64_t>(m.keys[i] >> kSlotBits);
    int low = 0, high = job.level_count;  // `low` becomes the last level that starts at or before the window
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (job.levels[middle].first_window <= window) {
        low = middle;
      } else {
        high = middle;
      }
    }
    const Level& level = job.levels[low];
    const PixelPoint corner = window_corner(level, window - level.first_window);
    m.boxes[i] = window_box(level, corner.x, corner.y);
    m.scores[i] = survivors[m.keys[i] & ((1 << kSlotBits) - 1)].score;
    if (job.min_neighbors <= 0) objects[i] = {m.boxes[i], m.scores[i], 1};
  }
  __syncthreads();
  int objects_found = count;
  if (job.min_neighbors > 0)
    objects_found = group_block(m, count, job.min_neighbors, kGroupEps, job.mean, objects);
  if (job.finishes) {
    __syncthreads();
    objects_found = finish_objects(job.rule, objects, objects_found, m.warp_sums);
  }
  if (thread == 0) job.found[frame] = objects_found;
}

// One block of threads per frame: copies the objects from the device's memory to memory that the host reads.
__global__ void __launch_bounds__(kGroupThreads)
    publish_kernel(const std::int32_t* found, const Candidate* objects, std::int32_t* found_for_host,
                   Candidate* objects_for_host) {
  const std::int64_t frame = blockIdx.x;
  const std::int32_t count = found[frame];
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kGroupThreads)
    objects_for_host[frame * kMostGrouped + i] = objects[frame * kMostGrouped + i];
  if (threadIdx.x == 0) found_for_host[frame] = count;
}

}  // namespace

DeviceResults::DeviceResults(ObjectsHome home) : home_(home), block_memory_(device_room().block_memory) {
  with_most_grouped(block_memory_, [&](auto size) {
    allow_block_memory(reinterpret_cast<const void*>(result_kernel<size>));
  });
}

void DeviceResults::plan(const LevelPlan& plan, int batch, int counts_per_frame) {
  const auto frames = static_cast<std::size_t>(batch);
  upload(std::span<const Level>(plan.levels), levels_);
  level_count_ = static_cast<int>(plan.levels.size());
  counts_per_frame_ = static_cast<std::size_t>(counts_per_frame);
  found_.reserve(frames);
  counts_.reserve(frames * counts_per_frame_);
  objects_.reserve(frames * static_cast<std::size_t>(kMostGrouped));
  if (home_ == ObjectsHome::kHost) return;
  found_on_device_.reserve(frames);
  objects_on_device_.reserve(frames * static_cast<std::size_t>(kMostGrouped));
}

void DeviceResults::enqueue(const DeviceSieve& sieve, int batch, int min_neighbors, MeanRule mean,
                            const std::optional<ObjectRule>& rule, cudaStream_t stream) const {
  const bool on_device = home_ == ObjectsHome::kDevice;
  const ResultJob job{sieve.counts(),
                      sieve.survivors(),
                      levels_.data(),
                      sieve.counts_per_frame(),
                      sieve.capacity(),
                      level_count_,
                      min_neighbors,
                      mean,
                      rule.has_value(),
                      rule.value_or(ObjectRule{}),
                      on_device ? found_on_device_.data() : found_.data(),
                      counts_.data(),
                      on_device ? objects_on_device_.data() : objects_.data()};
  const auto blocks = static_cast<unsigned>(batch);
  with_most_grouped(block_memory_, [&](auto size) {
    result_kernel<size><<<blocks, kGroupThreads, sizeof(GroupMemory<size>), stream>>>(job);
  });
  check_launch("launching the answers' kernel");
  if (!on_device) return;
  publish_kernel<<<blocks, kGroupThreads, 0, stream>>>(job.found, job.objects, found_.data(),
                                                       objects_.data());
  check_launch("launching the kernel that publishes objects");
}

ObjectsView DeviceResults::on_device(int batch) const {
  return {found_on_device_.data(), objects_on_device_.data(), kMostGrouped, batch};
}

std::span<const Candidate> DeviceResults::objects(int frame) const {
  const auto at = static_cast<std::size_t>(frame);
  return {objects_.data() + at * static_cast<std::size_t>(kMostGrouped),
          static_cast<std::size_t>(found_[at])};
}

std::span<const DeviceCount> DeviceResults::counts(int frame) const {
  return {counts_.data() + static_cast<std::size_t>(frame) * counts_per_frame_, counts_per_frame_};
}

}  // namespace winnow
