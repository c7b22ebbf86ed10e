// Judges one picture's windows on a device, as sieve/stages.h, sieve/device_sieve_cuda.h and
// sieve/remapped_sieve_cuda.h declare. Their opening comments hold here.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/frames/frame_batch_cuda.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/remapped_sieve_cuda.h"
#include "sieve/stages.h"

namespace winnow {
namespace {

constexpr int kFirstCapacity = 4096;

// Judges one picture at a time and waits for each step. The pipelines of sessions do not use this class: they
// run a batch as one CUDA graph.
class BlockingSieve final : public Sieve {
 public:
  BlockingSieve(std::unique_ptr<DeviceSieve> sieve, bool reads_color, const std::optional<PixelTable>& table,
                int device, int frames)
      : reads_color_(reads_color),
        table_(table),
        device_(device),
        frames_(frames),
        sieve_(std::move(sieve)) {}

  void set_options(const SieveOptions& options) override {
    gray_ = options.gray;
    sieve_->set_options(options);
  }

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    const OnDevice on(device_);
    const bool color = reads_color_ && !gray_ && picture.color.data != nullptr;
    const FrameWish wish{&plan, {color ? 3 : 1, table_}};
    batch_.plan(picture.size(), {&wish, 1}, 1);
    for (int capacity = std::max(kFirstCapacity, sieve_->capacity());;) {
      sieve_->plan(plan, frames_, capacity);
      batch_.start({&picture, 1}, {}, 1);
      sieve_->enqueue(batch_.view(), 1, batch_.stream());
      counts_.resize(static_cast<std::size_t>(sieve_->counts_per_frame()));
      check_cuda(cudaMemcpyAsync(counts_.data(), sieve_->counts(), counts_.size() * sizeof(DeviceCount),
                                 cudaMemcpyDeviceToHost, batch_.stream()),
                 "copying counters from the device");
      check_cuda(cudaStreamSynchronize(batch_.stream()), "judging windows");
      if (counts_[kFound] <= static_cast<DeviceCount>(capacity)) break;
      capacity = room_for(counts_[kFound]);  // more survivors than room: run again with room for all
    }
    sieve_->read_counts(counts_, plan, result);
    sieve_->copy_survivors(0, static_cast<std::size_t>(counts_[kFound]), result.survivors);
    sort_survivors(result.survivors, spare_);
  }

 private:
  bool reads_color_, gray_ = false;
  std::optional<PixelTable> table_;
  int device_, frames_;
  FrameBatch batch_;
  std::unique_ptr<DeviceSieve> sieve_;
  std::vector<DeviceCount> counts_;
  std::vector<Survivor> spare_;
};

}  // namespace

std::unique_ptr<Sieve> make_blocking_sieve(const std::function<std::unique_ptr<DeviceSieve>()>& make_sieve,
                                           bool reads_color, int device, int frames) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<BlockingSieve>(make_sieve(), reads_color, std::nullopt, device, frames);
}

std::unique_ptr<Sieve> make_remapped_sieve(const std::function<std::unique_ptr<DeviceSieve>()>& make_sieve,
                                           const PixelTable& table, int device, int frames) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<BlockingSieve>(make_sieve(), false, table, device, frames);
}

std::unique_ptr<Sieve> make_sieve_cuda(const Cascade& cascade, int device, int frames) {
  return make_blocking_sieve([&] { return make_device_sieve(cascade); }, false, device, frames);
}

}  // namespace winnow
