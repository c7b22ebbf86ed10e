#include "session/split_finder_cuda.h"

#include <algorithm>

#include "base/cuda_memory.h"
#include "base/cuda_range.h"
#include "scale/pyramid_cuda.h"
#include "session/fan_out.h"
#include "session/pinned_picture_cuda.h"
#include "session/share.h"
#include "session/stager.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {
namespace {

// Of a picture, staged and then copied while the next piece is staged; the first wave waits for so many.
constexpr std::int64_t kPieceBytes = 4 << 20;
constexpr int kFirstCapacity = 1 << 16;

// Where devices reach each other's memory, copies between them go straight; else by way of the host.
void reach_peers(int device, std::span<const int> peers) {
  const OnDevice on(device);
  for (const int peer : peers) {
    int reachable = 0;
    if (peer == device) continue;
    check_cuda(cudaDeviceCanAccessPeer(&reachable, device, peer), "asking whether devices reach each other");
    if (reachable == 0) continue;
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
    } else {
      check_cuda(status, "reaching another device");
    }
  }
}

}  // namespace

// One device's part. Its thread has its device current.
class SplitFinder::Share {
 public:
  Share(const Cascade& cascade, int device) : device_(device) {
    require_cuda_device(device);
    const OnDevice on(device);
    copying_ = make_stream();
    stream_ = make_stream();
    brought_ = make_event();
    arrived_ = make_event();
    sieve_ = make_tile_sieve(cascade);
  }
  bool usable() const { return sieve_ != nullptr; }
  int device() const { return device_; }
  int tile_rows(int step) const { return sieve_->tile_rows(step); }

  // `windows`: rows of each level that it judges; `own`: rows of the picture that it brings.
  void plan(const FindRequest& request, Size window, std::span<const RowRange> windows, RowRange own) {
    own_ = own;
    size_ = request.picture;
    plan_ = request.plan;
    pitch_ = frame_pitch(size_.width);
    piece_rows_ =
        static_cast<int>(std::max<std::int64_t>(1, kPieceBytes / std::max<std::int64_t>(pitch_, 1)));
    there_ = arrivals(own, piece_rows_, size_.height);
    PartWaves waves = part_waves(
        *plan_, size_, window, windows, [this](int step) { return tile_rows(step); }, there_);
    windows_ = std::move(waves.windows);
    staging_.reserve(static_cast<std::size_t>(pitch_ * (own.last - own.first)));
    picture_on_device_.reserve(static_cast<std::size_t>(frame_bytes(size_)));
    // What pads rows, and goes to other devices with them.
    check_cuda(cudaMemsetAsync(picture_on_device_.data(), 0, static_cast<std::size_t>(frame_bytes(size_)),
                               copying_.get()),
               "clearing a picture");
    pyramid_.plan(size_, *plan_, 1, waves.pixels);
    sieve_->plan(*plan_, 1, std::max(kFirstCapacity, sieve_->capacity()), windows_);
    counts_.reserve(static_cast<std::size_t>(sieve_->counts_per_frame()));
  }

  // Its own rows, and what can be judged of them alone.
  void bring(GrayView picture) {
    const CudaRange range("winnow: bring a part");
    const bool pinned = lies_pinned(picture);
    int next = own_.first;
    const std::size_t alone = there_.size() - (needs_others() ? 1 : 0);
    for (std::size_t wave = 0; wave < alone; ++wave) {
      while (next < there_[wave].last) {
        const RowRange piece{next, std::min(next + piece_rows_, there_[wave].last)};
        std::uint8_t* to = picture_on_device_.data() + next * pitch_;
        if (pinned) {
          copy_pinned(picture, piece, to, copying_.get());
        } else {
          std::uint8_t* staged = staging_.data() + (next - own_.first) * pitch_;
          stager_.stage(picture, piece, staged);
          check_cuda(cudaMemcpyAsync(to, staged, bytes_of(piece), cudaMemcpyHostToDevice, copying_.get()),
                     "copying a picture to the device");
        }
        next = piece.last;
      }
      judge(static_cast<int>(wave));
    }
    check_cuda(cudaEventRecord(brought_.get(), copying_.get()), "recording an event");
  }

  // The rows that others bring, and what needs them.
  void take_from(std::span<const std::unique_ptr<Share>> all) {
    if (!needs_others()) return;
    for (const auto& other : all) {
      if (other.get() == this) continue;
      check_cuda(cudaStreamWaitEvent(copying_.get(), other->brought_.get()), "waiting for another device");
      check_cuda(cudaMemcpyPeerAsync(picture_on_device_.data() + other->own_.first * pitch_, device_,
                                     other->picture_on_device_.data() + other->own_.first * pitch_,
                                     other->device_, bytes_of(other->own_), copying_.get()),
                 "copying a picture from another device");
    }
    judge(static_cast<int>(there_.size()) - 1);
  }

  // Waits. With more survivors than there was room for, once more with room.
  void search() {
    const CudaRange range("winnow: search a part");
    while (true) {
      check_cuda(cudaMemcpyAsync(counts_.data(), sieve_->counts(), counts().size_bytes(),
                                 cudaMemcpyDeviceToHost, stream_.get()),
                 "copying counters from the device");
      check_cuda(cudaStreamSynchronize(stream_.get()), "searching a picture");
      const int room = room_for(counts()[kFound]);
      if (room <= sieve_->capacity()) break;
      sieve_->plan(*plan_, 1, room, windows_);
      sieve_->enqueue(pyramid_.view(picture_on_device_.data()), 1, stream_.get());
    }
    sieve_->copy_survivors(0, static_cast<std::size_t>(counts()[kFound]), survivors_);
  }

  std::span<const DeviceCount> counts() const {
    return {counts_.data(), static_cast<std::size_t>(sieve_->counts_per_frame())};
  }
  const std::vector<Survivor>& survivors() const { return survivors_; }

 private:
  bool needs_others() const { return own_ != RowRange{0, size_.height}; }
  std::size_t bytes_of(RowRange rows) const {
    return static_cast<std::size_t>((rows.last - rows.first) * pitch_);
  }

  // Once what was copied so far has arrived.
  void judge(int wave) {
    check_cuda(cudaEventRecord(arrived_.get(), copying_.get()), "recording an event");
    check_cuda(cudaStreamWaitEvent(stream_.get(), arrived_.get()), "waiting for a picture's rows");
    pyramid_.enqueue(picture_on_device_.data(), 1, stream_.get(), wave);
    sieve_->enqueue_wave(pyramid_.view(picture_on_device_.data()), 1, stream_.get(), wave);
  }

  int device_;
  Stager stager_;
  CudaStream copying_, stream_;
  CudaEvent brought_;  // its own rows
  CudaEvent arrived_;  // what was copied last
  std::unique_ptr<DeviceSieve> sieve_;
  DevicePyramid pyramid_;
  DeviceBuffer<std::uint8_t> picture_on_device_;
  PinnedBuffer<std::uint8_t> staging_;
  PinnedBuffer<DeviceCount> counts_;
  Size size_;
  std::int64_t pitch_ = 0;
  int piece_rows_ = 0;
  const LevelPlan* plan_ = nullptr;
  RowRange own_;
  std::vector<RowRange> there_;  // before each wave
  std::vector<Wave> windows_;
  std::vector<Survivor> survivors_;
};

SplitFinder::SplitFinder(const Cascade& cascade, std::span<const int> devices) : cascade_(cascade) {
  for (const int device : devices) shares_.push_back(std::make_unique<Share>(cascade, device));
  for (const int device : devices) reach_peers(device, devices);
}
SplitFinder::~SplitFinder() = default;

bool SplitFinder::usable() const { return shares_.front()->usable(); }

void SplitFinder::plan(const FindRequest& request) {
  if (planned_ == request.plan_number) return;
  const CudaRange range("winnow: plan");
  planned_ = 0;
  const auto parts = static_cast<int>(shares_.size());
  const auto rows =
      share_rows(*request.plan, parts, [&](int step) { return shares_.front()->tile_rows(step); });
  for (int i = 0; i < parts; ++i) {
    const auto part = static_cast<std::size_t>(i);
    const OnDevice on(shares_[part]->device());
    shares_[part]->plan(request, cascade_.window(), rows[part],
                        equal_share(request.picture.height, i, parts));
  }
  planned_ = request.plan_number;
}

void SplitFinder::find(GrayView picture, const FindRequest& request, Detections& result) {
  plan(request);
  fan_out(shares_.size(), [&](std::size_t part) {
    const OnDevice on(shares_[part]->device());
    shares_[part]->bring(picture);
  });
  fan_out(shares_.size(), [&](std::size_t part) {
    const OnDevice on(shares_[part]->device());
    shares_[part]->take_from(shares_);
    shares_[part]->search();
  });
  const CudaRange range("winnow: read answers");
  std::vector<DeviceCount> counts(shares_.front()->counts().size());
  survivors_.clear();
  for (const auto& share : shares_) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += share->counts()[i];
    survivors_.insert(survivors_.end(), share->survivors().begin(), share->survivors().end());
  }
  read_counts(counts, cascade_.model(), *request.plan, result.counters);
  grouping_.group(survivors_, request, result);
}

}  // namespace winnow
