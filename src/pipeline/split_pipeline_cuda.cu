#include "pipeline/split_pipeline_cuda.h"

#include <algorithm>
#include <array>

#include "base/device/cuda_memory.h"
#include "base/device/cuda_range.h"
#include "base/fan_out.h"
#include "pipeline/results_cuda.h"
#include "scale/frames/pinned_picture_cuda.h"
#include "scale/frames/stager.h"
#include "scale/pyramid_cuda.h"
#include "scale/share.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {
namespace {

// The least and most bytes of a piece of the picture. A piece is copied to the device while the next piece is
// staged. The first wave waits for one piece. A piece is a quarter of the picture within these limits. With
// smaller pieces, a wave has too little work for a device. With larger pieces, the device waits.
constexpr std::int64_t kLeastPiece = 960 << 10, kMostPiece = 4 << 20;
constexpr int kFirstCapacity = 1 << 16;

// Gives `device` access to the memory of each peer, so that copies go directly between them. Without access,
// copies go through the host.
void enable_peers(int device, std::span<const int> peers) {
  const OnDevice on(device);
  for (const int peer : peers) {
    int possible = 0;
    if (peer == device) continue;
    check_cuda(cudaDeviceCanAccessPeer(&possible, device, peer), "asking whether devices reach each other");
    if (possible == 0) continue;
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
    } else {
      check_cuda(status, "reaching another device");
    }
  }
}

}  // namespace

// One device's share of the picture. The device must be current for each call, the constructor included.
class SplitPipeline::Share {
 public:
  Share(const DeviceKind& kind, int device) : device_(device) {
    copying_ = make_stream();
    making_ = make_stream(true);
    for (CudaStream& stream : streams_) stream = make_stream();
    made_ = make_event();
    judged_ = make_event();
    uploaded_ = make_event();
    arrived_ = make_event();
    if (kind.make_tile_sieve) sieve_ = kind.make_tile_sieve();
  }
  bool usable() const { return sieve_ != nullptr; }
  int device() const { return device_; }
  int tile_rows(int step) const { return sieve_->tile_rows(step); }

  // `windows`: the rows of windows on each level that this share judges. `own`: the rows of the picture that
  // this share copies from the host.
  void plan(const SearchRequest& request, Size window, std::span<const RowRange> windows, RowRange own) {
    own_ = own;
    size_ = request.picture;
    plan_ = request.plan;
    pitch_ = frame_pitch(size_.width);
    const std::int64_t piece = std::clamp(frame_bytes(size_) / 4, kLeastPiece, kMostPiece);
    piece_rows_ = static_cast<int>(std::max<std::int64_t>(1, piece / std::max<std::int64_t>(pitch_, 1)));
    there_ = arrivals(own, piece_rows_, size_.height);
    DeviceWaves waves = device_waves(
        *plan_, size_, window, windows, [this](int step) { return tile_rows(step); }, there_);
    windows_ = std::move(waves.windows);
    staging_.reserve(static_cast<std::size_t>(pitch_ * (own.last - own.first)));
    picture_on_device_.reserve(static_cast<std::size_t>(frame_bytes(size_)));
    // The padding of rows goes to other devices with the rows, so the padding must be initialised.
    check_cuda(cudaMemsetAsync(picture_on_device_.data(), 0, static_cast<std::size_t>(frame_bytes(size_)),
                               copying_.get()),
               "clearing a picture");
    pyramid_.plan(size_, *plan_, 1, waves.pixels);
    sieve_->plan(*plan_, 1, std::max(kFirstCapacity, sieve_->capacity()), windows_);
    results_.plan(*plan_, 1, sieve_->counts_per_frame());
  }

  // Copies the share's own rows, and judges the waves that need no other rows.
  void upload(GrayView picture) {
    const CudaRange range("winnow: upload a part");
    const bool pinned = lies_pinned(picture);
    int next = own_.first;
    const std::size_t alone = there_.size() - (needs_others() ? 1 : 0);
    for (std::size_t wave = 0; wave < alone; ++wave) {
      while (next < there_[wave].last) {
        const int left = there_[wave].last - next;  // a rest below half a piece joins the last piece
        const RowRange piece{next, next + (left < piece_rows_ + piece_rows_ / 2 ? left : piece_rows_)};
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
      if (wave == 0) sieve_->clear(1, streams_[0].get());
      judge(static_cast<int>(wave));
    }
    check_cuda(cudaEventRecord(uploaded_.get(), copying_.get()), "recording an event");
  }

  // Copies the rows of the other shares, and judges the last wave, which needs these rows.
  void take_from(std::span<const std::unique_ptr<Share>> all) {
    if (!needs_others()) return;
    for (const auto& other : all) {
      if (other.get() == this) continue;
      check_cuda(cudaStreamWaitEvent(copying_.get(), other->uploaded_.get()), "waiting for another device");
      check_cuda(cudaMemcpyPeerAsync(picture_on_device_.data() + other->own_.first * pitch_, device_,
                                     other->picture_on_device_.data() + other->own_.first * pitch_,
                                     other->device_, bytes_of(other->own_), copying_.get()),
                 "copying a picture from another device");
    }
    judge(static_cast<int>(there_.size()) - 1);
  }

  // Waits for the results. If more windows survive than there was room for, searches once more with enough
  // room.
  void search(int min_neighbors, MeanRule mean) {
    const CudaRange range("winnow: search a part");
    cudaStream_t stream = streams_[0].get();
    if (there_.size() > 1) {
      check_cuda(cudaEventRecord(judged_.get(), streams_[1].get()), "recording an event");
      check_cuda(cudaStreamWaitEvent(stream, judged_.get()), "waiting for waves");
    }
    while (true) {
      results_.enqueue(*sieve_, 1, min_neighbors, mean, std::nullopt, stream);
      check_cuda(cudaStreamSynchronize(stream), "searching a picture");
      const int room = room_for(results_.counts(0)[kFound]);
      if (room <= sieve_->capacity()) break;
      sieve_->plan(*plan_, 1, room, windows_);
      sieve_->enqueue(pyramid_.view(picture_on_device_.data()), 1, stream);
    }
  }

  const DeviceResults& results() const { return results_; }
  const DeviceSieve& sieve() const { return *sieve_; }
  // All survivors of the share, in no defined order.
  const std::vector<Survivor>& survivors() {
    sieve_->copy_survivors(0, static_cast<std::size_t>(results_.counts(0)[kFound]), survivors_);
    return survivors_;
  }

 private:
  bool needs_others() const { return own_ != RowRange{0, size_.height}; }
  std::size_t bytes_of(RowRange rows) const {
    return static_cast<std::size_t>((rows.last - rows.first) * pitch_);
  }

  // Makes and judges the rows of a wave, once all rows that were copied so far have arrived.
  void judge(int wave) {
    check_cuda(cudaEventRecord(arrived_.get(), copying_.get()), "recording an event");
    check_cuda(cudaStreamWaitEvent(making_.get(), arrived_.get()), "waiting for a picture's rows");
    pyramid_.enqueue(picture_on_device_.data(), 1, making_.get(), wave);
    check_cuda(cudaEventRecord(made_.get(), making_.get()), "recording an event");
    cudaStream_t stream = streams_[static_cast<std::size_t>(wave % 2)].get();
    check_cuda(cudaStreamWaitEvent(stream, made_.get()), "waiting for levels' rows");
    sieve_->enqueue_wave(pyramid_.view(picture_on_device_.data()), 1, stream, wave);
  }

  int device_;
  Stager stager_;
  CudaStream copying_;
  // Makes levels. This stream has priority over the streams that judge tiles. Without the priority, a wave
  // would begin late.
  CudaStream making_;
  std::array<CudaStream, 2> streams_;  // judge alternate waves, so that one begins while another ends
  CudaEvent uploaded_;                 // the share's own rows are copied
  CudaEvent arrived_;                  // the rows that were copied last have arrived
  CudaEvent made_;                     // the levels' rows of the newest wave are made
  CudaEvent judged_;                   // the second stream's waves are judged
  std::unique_ptr<DeviceSieve> sieve_;
  DevicePyramid pyramid_;
  DeviceBuffer<std::uint8_t> picture_on_device_;
  PinnedBuffer<std::uint8_t> staging_;
  DeviceResults results_;
  Size size_;
  std::int64_t pitch_ = 0;
  int piece_rows_ = 0;
  const LevelPlan* plan_ = nullptr;
  RowRange own_;
  std::vector<RowRange> there_;  // the rows of the picture that have arrived before each wave
  std::vector<Wave> windows_;
  std::vector<Survivor> survivors_;
};

SplitPipeline::SplitPipeline(const DeviceKind& kind, std::span<const int> devices)
    : window_(kind.window), merger_(kind.merge) {
  for (const int device : devices) {
    require_cuda_device(device);
    const OnDevice on(device);
    shares_.push_back(std::make_unique<Share>(kind, device));
  }
  for (const int device : devices) enable_peers(device, devices);
}
SplitPipeline::~SplitPipeline() = default;

bool SplitPipeline::usable() const { return shares_.front()->usable(); }

void SplitPipeline::plan(const SearchRequest& request) {
  if (planned_ == request.plan_number) return;
  const CudaRange range("winnow: plan");
  planned_ = 0;
  const auto count = static_cast<int>(shares_.size());
  const auto rows =
      share_rows(*request.plan, count, [&](int step) { return shares_.front()->tile_rows(step); });
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const OnDevice on(shares_[index]->device());
    shares_[index]->plan(request, window_, rows[index], equal_share(request.picture.height, i, count));
  }
  planned_ = request.plan_number;
}

void SplitPipeline::search(GrayView picture, const SearchRequest& request, Detections& result) {
  plan(request);
  fan_out(shares_.size(), [&](std::size_t index) {
    const OnDevice on(shares_[index]->device());
    shares_[index]->upload(picture);
  });
  const bool alone = shares_.size() == 1;
  fan_out(shares_.size(), [&](std::size_t index) {
    const OnDevice on(shares_[index]->device());
    shares_[index]->take_from(shares_);
    shares_[index]->search(alone ? request.device_neighbors() : 0, request.mean);
  });
  const CudaRange range("winnow: read answers");
  std::vector<DeviceCount> counts(shares_.front()->results().counts(0).size());
  for (const auto& share : shares_) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += share->results().counts(0)[i];
  }
  shares_.front()->sieve().read_counts(counts, *request.plan, result.counters);
  if (alone && shares_.front()->results().grouped(0)) {
    return merger_.finish(shares_.front()->results().objects(0), request, result);
  }
  survivors_.clear();
  for (const auto& share : shares_) {
    const OnDevice on(share->device());
    const std::vector<Survivor>& more = share->survivors();
    survivors_.insert(survivors_.end(), more.begin(), more.end());
  }
  merger_.merge(survivors_, request, result);
}

}  // namespace winnow
