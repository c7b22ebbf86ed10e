#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "base/cuda_device.h"
#include "base/cuda_range.h"
#include "base/fan_out.h"
#include "pipeline/batches.h"
#include "pipeline/device_pipeline_cuda.h"
#include "pipeline/split_pipeline_cuda.h"
#include "scale/device_frames_cuda.h"

namespace winnow {
namespace {

// The most frames of a batch, a power of two. More frames fill the device no better. kMostBytes may allow
// fewer.
constexpr int kMostFrames = 64;
constexpr std::size_t kGraphs = 7;
static_assert(kMostFrames == 1 << (kGraphs - 1));
constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;
// Below this number of pixels a device judges a few frames as fast as one.
constexpr std::int64_t kSmallPicture = std::int64_t{1} << 20;
// From kPicturePieces pixels on, a picture alone in its call is copied piece by piece. From kSharedPicture
// pixels on, devices share a picture.
constexpr std::int64_t kPicturePieces = std::int64_t{1920} << 10, kSharedPicture = std::int64_t{4} << 20;

// One batch in flight: its frames, its search, and the graphs of both.
class BatchInFlight {
 public:
  explicit BatchInFlight(const DeviceKind& kind) : search_(kind.make_sieve()), table_(kind.table) {}

  void plan(const SearchRequest& request, int frames) {
    const bool other_options = search_.set_options(request);
    const int planes = request.color ? 3 : 1;
    const bool planned = search_.plan(request, frames) || planes != frames_.planes();
    if (planned || other_options) {
      graphs_ = {};
      direct_graphs_ = {};
    }
    if (!planned) return;
    const CudaRange range("winnow: plan frames");
    const LevelPlan* const plan = request.plan;
    frames_.plan(request.picture, std::span(&plan, 1), search_.frames(), stream_.get(), planes, table_);
  }

  // `frames`: a power of two. Frames beyond the pictures hold what was there before.
  void start(std::span<const PictureView> pictures, PictureSource source, std::size_t frames,
             const SearchRequest& request) {
    const bool staged = frames_.bring(pictures, source, stream_.get());
    const CudaRange range("winnow: start batch");
    Graph& graph = (staged ? graphs_ : direct_graphs_)[static_cast<std::size_t>(std::countr_zero(frames))];
    const auto enqueue = [&](cudaStream_t stream) {
      frames_.enqueue(staged, static_cast<int>(frames), stream);
      search_.enqueue(frames_.view(), static_cast<int>(frames), request, stream);
    };
    if (graph.min_neighbors != request.device_neighbors()) {
      // The first batch of its kind runs without a graph. If pictures have many sizes, no batch like this one
      // may follow, and a graph would cost more than it saves.
      graph = {request.device_neighbors(), {}};
      return enqueue(stream_.get());
    }
    if (!graph.captured) {
      const CudaRange making("winnow: make graph");
      graph.captured = capture_graph(stream_.get(), enqueue);
    }
    check_cuda(cudaGraphLaunch(graph.captured.get(), stream_.get()), "starting a batch");
  }
  void wait() const {
    const CudaRange range("winnow: wait for batch");
    check_cuda(cudaStreamSynchronize(stream_.get()), "searching a batch");
  }
  const DeviceSearch& search() const { return search_; }
  PyramidView view() const { return frames_.view(); }

 private:
  struct Graph {
    int min_neighbors = -1;  // of the last batch with as many frames
    CudaGraph captured;
  };

  CudaStream stream_ = make_stream();
  FrameBatch frames_;
  DeviceSearch search_;
  std::optional<PixelTable> table_;
  std::array<Graph, kGraphs> graphs_, direct_graphs_;  // for 1, 2, 4, ... frames; direct ones do not upload
};

// Does the work of one device.
class DeviceWorker {
 public:
  DeviceWorker(const DeviceKind& kind, int device) : kind_(kind), device_(device), reader_(kind.make_sieve) {
    require_cuda_device(device);
    flight(0);
  }

  int number() const { return device_; }

  // While the device searches one batch, the host brings the next.
  void search(Batches& batches) {
    const OnDevice on(device_);
    std::array<const Batch*, 2> flying{};
    const auto finish = [&](std::size_t at) {
      if (const Batch* batch = std::exchange(flying[at], nullptr)) read(flight(at), *batch);
    };
    std::size_t at = 0;
    while (true) {
      finish(at);
      const Batch* batch = batches.next();
      if (batch == nullptr) break;
      const SearchRequest& request = batch->job->request;
      flight(at).plan(request, static_cast<int>(batch->most));
      flight(at).start(batch->pictures(), batch->job->source, batch->frames, request);
      flying[at] = batch;
      at ^= 1;
    }
    finish(at ^ 1);
  }

  void enqueue(const SearchRequest& request, const PictureView& picture, PictureSource source) {
    const OnDevice on(device_);
    BatchInFlight& flight = this->flight((oldest_ + requests_.size()) % kRing);
    flight.plan(request, 1);
    flight.start({&picture, 1}, source, 1, request);
    requests_.push_back(request);
  }
  void collect(Detections& result) {
    const OnDevice on(device_);
    const BatchInFlight& flight = this->flight(oldest_);
    flight.wait();
    reader_.read(flight.search(), flight.view(), 0, requests_.front(), result);
    requests_.pop_front();
    oldest_ = (oldest_ + 1) % kRing;
  }

  // Waits. Two plans stay planned, since a range of windows may have two.
  void sift(const SearchRequest& request, const PictureView& picture, PictureSource source,
            SieveResult& result) {
    const OnDevice on(device_);
    if (sifting_[0].plan_number != request.plan_number) std::swap(sifting_[0], sifting_[1]);
    auto& [flight, plan_number] = sifting_[0];
    if (flight == nullptr) flight = std::make_unique<BatchInFlight>(kind_);
    plan_number = request.plan_number;
    flight->plan(request, 1);
    flight->start({&picture, 1}, source, 1, request);
    flight->wait();
    reader_.read(flight->search(), flight->view(), 0, request, result);
  }

 private:
  static constexpr std::size_t kRing = Pipeline::kMostPending;
  struct Sifting {
    std::unique_ptr<BatchInFlight> flight;  // made when it is first needed
    int plan_number = 0;
  };

  BatchInFlight& flight(std::size_t at) {
    auto& flight = flights_[at];
    if (flight == nullptr) {
      const OnDevice on(device_);
      flight = std::make_unique<BatchInFlight>(kind_);
    }
    return *flight;
  }

  void read(const BatchInFlight& flight, const Batch& batch) {
    flight.wait();
    const CudaRange range("winnow: read answers");
    for (std::size_t i = 0; i < batch.count; ++i) {
      reader_.read(flight.search(), flight.view(), static_cast<int>(i), batch.job->request,
                   batch.results()[i]);
    }
  }

  DeviceKind kind_;
  int device_;
  std::array<std::unique_ptr<BatchInFlight>, kRing> flights_;  // made when they are first needed
  std::array<Sifting, 2> sifting_;                             // the last one used first
  AnswerReader reader_;
  std::deque<SearchRequest> requests_;  // enqueued and not collected
  std::size_t oldest_ = 0;
};

class DevicePipeline final : public Pipeline {
 public:
  DevicePipeline(const DeviceKind& kind, std::span<const int> devices) : kind_(kind) {
    for (const int device : devices) devices_.push_back(std::make_unique<DeviceWorker>(kind, device));
  }

  void search(std::span<const SearchJob> jobs) override {
    guarded([&] {
      batches_.clear();
      std::size_t pictures = 0;
      for (const SearchJob& job : jobs) pictures += job.pictures.size();
      for (const SearchJob& job : jobs) {
        if (job.source.on_device()) worker_of(job.source.device);  // refuses a device that is not used
        if (job.request.plan->window_count == 0) {
          for (Detections& result : job.results) nothing_in(result);
        } else if (job.source.on_device()) {
          search_where_it_lies(job, pictures);
        } else if (SplitPipeline* by_rows = one_by_one(job, pictures)) {
          for (std::size_t i = 0; i < job.pictures.size(); ++i)
            by_rows->search(job.pictures[i].gray, job.request, job.results[i]);
        } else {
          batches_.add(job, most_frames(job, pictures, devices_.size()), fills(job));
        }
      }
      if (!batches_.empty()) search_batches();
    });
  }

  // A picture goes to the devices in turn, or to the one where it lies.
  void enqueue(const SearchRequest& request, const PictureView& picture, PictureSource source) override {
    guarded([&] {
      const std::size_t to = source.on_device() ? worker_of(source.device) : next_++ % devices_.size();
      const bool windows = request.plan->window_count > 0;
      if (windows) devices_[to]->enqueue(request, picture, source);
      pending_.push_back({to, windows});
    });
  }
  void collect(Detections& result) override {
    guarded([&] {
      const Pending first = pending_.front();
      pending_.pop_front();
      if (first.windows) {
        devices_[first.device]->collect(result);
      } else {
        nothing_in(result);
      }
    });
  }

 protected:
  // By the first device, or the one where the picture lies.
  void sift_plan(const SearchRequest& request, const PictureView& picture, PictureSource source,
                 SieveResult& result) override {
    guarded([&] {
      const std::size_t by = source.on_device() ? worker_of(source.device) : 0;
      if (request.plan->window_count > 0) return devices_[by]->sift(request, picture, source, result);
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

  // After any failure on a device the pipeline does not go on.
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

  // Waits for all devices first: they may still be fetching pictures, whose memory is the caller's again once
  // the call has ended. There may be no memory left to keep the reason.
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

  std::size_t worker_of(int device) const {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (devices_[i]->number() == device) return i;
    }
    throw Error(ErrorCode::kUsage,
                "a picture lies on device " + std::to_string(device) +
                    ", which this detector does not use; name it in MachineOptions::devices");
  }

  // Searches pictures that lie on a device in batches on that device.
  void search_where_it_lies(const SearchJob& job, std::size_t pictures) {
    Batches batches;
    batches.add(job, most_frames(job, pictures, 1), fills(job));
    devices_[worker_of(job.source.device)]->search(batches);
  }

  // The pipeline by rows for a job of large pictures: fewer than devices, or one alone in its call. Null if
  // the job's pictures go in batches.
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
      for (std::size_t i = 0; i < count; ++i) numbers.push_back(devices_[i]->number());
      split = std::make_unique<SplitPipeline>(kind_, numbers);
    }
    return split->usable() ? split.get() : nullptr;
  }

  void search_batches() {
    fan_out(devices_.size(), [&](std::size_t device) {
      try {
        devices_[device]->search(batches_);
      } catch (...) {
        batches_.stop();
        throw;
      }
    });
  }

  // Whether frames without a picture may fill up a batch.
  static bool fills(const SearchJob& job) { return frame_bytes(job.request.picture) < kSmallPicture; }

  // Frames of a batch of the job: two batches in flight on each device, if the call has enough pictures.
  std::size_t most_frames(const SearchJob& job, std::size_t pictures, std::size_t devices) const {
    std::int64_t pixels = frame_bytes(job.request.picture);
    for (const Level& level : job.request.plan->levels) pixels += frame_bytes({level.width, level.height});
    if (job.request.color) pixels *= 3;
    const std::int64_t fit =
        std::clamp<std::int64_t>(kMostBytes / std::max<std::int64_t>(pixels, 1), 1, kMostFrames);
    const std::size_t flights = 2 * devices, share = (pictures + flights - 1) / flights;
    return std::bit_floor(std::min({share, job.pictures.size(), static_cast<std::size_t>(fit)}));
  }

  // The answer to a picture without windows.
  void nothing_in(Detections& result) const {
    result.objects.clear();
    result.counters = {};
    result.counters.reached.assign(kind_.stages + 1, 0);
  }

  DeviceKind kind_;
  std::vector<std::unique_ptr<DeviceWorker>> devices_;
  std::array<std::unique_ptr<SplitPipeline>, 2> by_rows_;  // on the first device; on all devices
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
