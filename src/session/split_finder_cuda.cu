#include "session/split_finder_cuda.h"

#include <algorithm>

#include "base/cuda_memory.h"
#include "base/cuda_range.h"
#include "scale/pyramid_cuda.h"
#include "session/fan_out.h"
#include "session/share.h"
#include "session/stager.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {
namespace {

// Of a picture, staged and then copied while the next piece is staged.
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
    stream_ = make_stream();
    copied_ = make_event();
    sieve_ = make_tile_sieve(cascade);
  }
  bool usable() const { return sieve_ != nullptr; }
  int device() const { return device_; }
  int tile_rows(int step) const { return sieve_->tile_rows(step); }

  // `windows`: rows of each level that it judges; `own`: rows of the picture that it brings.
  void plan(const FindRequest& request, Size window, std::vector<RowRange> windows, RowRange own) {
    windows_ = std::move(windows);
    own_ = own;
    size_ = request.picture;
    plan_ = request.plan;
    std::vector<RowRange> pixels;
    for (std::size_t l = 0; l < windows_.size(); ++l)
      pixels.push_back(pixel_rows(plan_->levels[l], windows_[l], window));
    const auto pitch = static_cast<std::size_t>(frame_pitch(size_.width));
    staging_.reserve(pitch * static_cast<std::size_t>(own.last - own.first));
    picture_on_device_.reserve(static_cast<std::size_t>(frame_bytes(size_)));
    pyramid_.plan(size_, *plan_, 1, pixels);
    sieve_->plan(*plan_, 1, std::max(kFirstCapacity, sieve_->capacity()), windows_);
    counts_.reserve(static_cast<std::size_t>(sieve_->counts_per_frame()));
  }

  void bring(GrayView picture) {
    const CudaRange range("winnow: bring a part");
    const std::int64_t pitch = frame_pitch(size_.width);
    const int rows =
        static_cast<int>(std::max<std::int64_t>(1, kPieceBytes / std::max<std::int64_t>(pitch, 1)));
    for (int first = own_.first; first < own_.last; first += rows) {
      const RowRange piece{first, std::min(first + rows, own_.last)};
      std::uint8_t* staged = staging_.data() + (first - own_.first) * pitch;
      stager_.stage(picture, piece, staged);
      check_cuda(cudaMemcpyAsync(picture_on_device_.data() + first * pitch, staged,
                                 static_cast<std::size_t>((piece.last - piece.first) * pitch),
                                 cudaMemcpyHostToDevice, stream_.get()),
                 "copying a picture to the device");
    }
    check_cuda(cudaEventRecord(copied_.get(), stream_.get()), "recording an event");
  }

  void take_from(const Share& other) {
    const std::int64_t pitch = frame_pitch(size_.width);
    check_cuda(cudaStreamWaitEvent(stream_.get(), other.copied_.get()), "waiting for another device");
    check_cuda(cudaMemcpyPeerAsync(picture_on_device_.data() + other.own_.first * pitch, device_,
                                   other.picture_on_device_.data() + other.own_.first * pitch, other.device_,
                                   static_cast<std::size_t>((other.own_.last - other.own_.first) * pitch),
                                   stream_.get()),
               "copying a picture from another device");
  }

  // Waits. With more survivors than there was room for, once more with room.
  void search() {
    const CudaRange range("winnow: search a part");
    pyramid_.enqueue(picture_on_device_.data(), 1, stream_.get());
    while (true) {
      sieve_->enqueue(pyramid_.view(picture_on_device_.data()), 1, stream_.get());
      check_cuda(cudaMemcpyAsync(counts_.data(), sieve_->counts(), counts().size_bytes(),
                                 cudaMemcpyDeviceToHost, stream_.get()),
                 "copying counters from the device");
      check_cuda(cudaStreamSynchronize(stream_.get()), "searching a picture");
      const int room = room_for(counts()[kFound]);
      if (room <= sieve_->capacity()) break;
      sieve_->plan(*plan_, 1, room, windows_);
    }
    sieve_->copy_survivors(0, static_cast<std::size_t>(counts()[kFound]), survivors_);
  }

  std::span<const DeviceCount> counts() const {
    return {counts_.data(), static_cast<std::size_t>(sieve_->counts_per_frame())};
  }
  const std::vector<Survivor>& survivors() const { return survivors_; }

 private:
  int device_;
  Stager stager_;
  CudaStream stream_;
  CudaEvent copied_;  // its part of the picture
  std::unique_ptr<DeviceSieve> sieve_;
  DevicePyramid pyramid_;
  DeviceBuffer<std::uint8_t> picture_on_device_;
  PinnedBuffer<std::uint8_t> staging_;
  PinnedBuffer<DeviceCount> counts_;
  Size size_;
  const LevelPlan* plan_ = nullptr;
  std::vector<RowRange> windows_;
  RowRange own_;
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
  auto rows = share_rows(*request.plan, parts, [&](int step) { return shares_.front()->tile_rows(step); });
  for (int i = 0; i < parts; ++i) {
    const auto part = static_cast<std::size_t>(i);
    const OnDevice on(shares_[part]->device());
    shares_[part]->plan(request, cascade_.window(), std::move(rows[part]),
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
    for (std::size_t other = 0; other < shares_.size(); ++other) {
      if (other != part) shares_[part]->take_from(*shares_[other]);
    }
    shares_[part]->search();
  });
  const CudaRange range("winnow: read answers");
  std::vector<DeviceCount> counts(shares_.front()->counts().size());
  survivors_.clear();
  for (const auto& share : shares_) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += share->counts()[i];
    survivors_.insert(survivors_.end(), share->survivors().begin(), share->survivors().end());
  }
  std::sort(survivors_.begin(), survivors_.end(),
            [](const Survivor& a, const Survivor& b) { return a.window < b.window; });
  read_counts(counts, cascade_.model(), *request.plan, result.counters);
  grouping_.group(survivors_, request, result);
}

}  // namespace winnow
