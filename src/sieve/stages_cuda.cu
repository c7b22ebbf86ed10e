#include <algorithm>
#include <span>
#include <vector>

#include <winnow/error.h>

#include "base/cuda_device.h"
#include "base/cuda_memory.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/stages.h"

namespace winnow {
namespace {

constexpr int kFirstCapacity = 4096;

// Judges one picture at a time and waits for each step, for tests. Sessions run batches as one graph.
class SieveCuda final : public Sieve {
 public:
  SieveCuda(const Cascade& cascade, int device, int frames)
      : cascade_(cascade), device_(device), frames_(frames), sieve_(make_device_sieve(cascade)) {}

  void run(const PictureView& view, const LevelPlan& plan, SieveResult& result) override {
    const GrayView picture = view.gray;
    const OnDevice on(device_);
    const auto bytes = static_cast<std::size_t>(frame_bytes(picture.size()));
    frame_.reserve(bytes);
    const auto pitch = static_cast<std::size_t>(frame_pitch(picture.width));
    check_cuda(cudaMemset(frame_.data(), 0, bytes), "clearing a frame");
    check_cuda(cudaMemcpy2D(frame_.data(), pitch, picture.data, static_cast<std::size_t>(picture.stride),
                            static_cast<std::size_t>(picture.width), static_cast<std::size_t>(picture.height),
                            cudaMemcpyHostToDevice),
               "copying a frame to the device");
    pyramid_.plan(picture.size(), plan, 1);
    for (int capacity = std::max(kFirstCapacity, sieve_->capacity());;) {
      sieve_->plan(plan, frames_, capacity);
      pyramid_.enqueue(frame_.data(), 1, stream_.get());
      sieve_->enqueue(pyramid_.view(frame_.data()), 1, stream_.get());
      counts_.resize(static_cast<std::size_t>(sieve_->counts_per_frame()));
      check_cuda(cudaMemcpyAsync(counts_.data(), sieve_->counts(), counts_.size() * sizeof(DeviceCount),
                                 cudaMemcpyDeviceToHost, stream_.get()),
                 "copying counters from the device");
      check_cuda(cudaStreamSynchronize(stream_.get()), "judging windows");
      if (counts_[kFound] <= static_cast<DeviceCount>(capacity)) break;
      capacity = static_cast<int>(counts_[kFound]);  // more than expected: run again with room for all
    }
    sieve_->read_counts(counts_, plan, result);
    sieve_->copy_survivors(0, static_cast<std::size_t>(counts_[kFound]), result.survivors);
    sort_survivors(result.survivors, spare_);
  }

 private:
  Cascade cascade_;
  int device_, frames_;
  CudaStream stream_ = make_stream();
  DeviceBuffer<std::uint8_t> frame_;
  DevicePyramid pyramid_;
  std::unique_ptr<DeviceSieve> sieve_;
  std::vector<DeviceCount> counts_;
  std::vector<Survivor> spare_;
};

}  // namespace

std::unique_ptr<Sieve> make_sieve_cuda(const Cascade& cascade, int device, int frames) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<SieveCuda>(cascade, device, frames);
}

}  // namespace winnow
