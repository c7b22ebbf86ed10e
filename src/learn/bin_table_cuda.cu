// Keeps the table of bytes on a device, as learn/bin_table.h declares; its opening comment holds here.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "base/device/cuda_range.h"
#include "learn/bin_table.h"
#include "learn/bins_cuda.h"
#include "learn/split_cuda.h"

namespace winnow {
namespace {

// The bytes of the buffer for rows that are not kept, so that every search computes them anew. The buffer
// holds many rows at once, so that all multiprocessors have work.
constexpr std::int64_t kScratchBytes = std::int64_t{1} << 30;

// Returns how many bytes of device memory rows may take. One eighth of the free memory is left for other
// uses.
std::int64_t free_bytes() {
  std::size_t free = 0, all = 0;
  check_cuda(cudaMemGetInfo(&free, &all), "asking for free memory");
  return static_cast<std::int64_t>(free / 8 * 7);
}

class DeviceTable final : public BinTable {
 public:
  explicit DeviceTable(const TableRequest& request)
      : device_(request.device),
        kind_(split_kind(request.features->list.kind, request.weak)),
        samples_(request.planes->samples()),
        positives_(request.positives),
        stream_(make_stream()),
        bins_(*request.features, *request.planes, current_processors()),
        most_blocks_(split_blocks(kind_, current_processors())) {
    const int all = request.features->list.size();
    const std::size_t pitch = bins_.pitch();
    host_weights_.reserve(samples_ + 1);
    weights_.reserve(pitch + 1);
    check_cuda(cudaMemsetAsync(weights_.data(), 0, pitch * sizeof(std::uint32_t), stream_.get()),
               "clearing weights");
    candidates_.reserve(static_cast<std::size_t>(std::max(all, 1)));
    found_.reserve(static_cast<std::size_t>(most_blocks_));
    host_found_.reserve(static_cast<std::size_t>(most_blocks_));
    plan_rows(request.memory, all);
    bins_.enqueue(nullptr, 0, kept_, rows_.data(), stream_.get());
    wait("computing what features say of samples");
  }

  void row(int feature, std::vector<std::uint8_t>& bins) override {
    const OnDevice on(device_);
    const std::uint8_t* from = rows_.data() + static_cast<std::size_t>(feature) * bins_.pitch();
    if (feature >= kept_) {
      bins_.enqueue(nullptr, feature, 1, scratch_.data(), stream_.get());
      from = scratch_.data();
    }
    bins.resize(samples_);
    check_cuda(cudaMemcpyAsync(bins.data(), from, samples_, cudaMemcpyDeviceToHost, stream_.get()),
               "copying a row from the device");
    wait("copying a row from the device");
  }

  Split best_split(std::span<const int> candidates, std::span<const std::uint32_t> weights,
                   BoostKind boost) override {
    const CudaRange range("best split");
    const OnDevice on(device_);
    send_candidates(candidates);
    send_weights(weights);
    SplitJob job{rows_.data(),
                 bins_.pitch(),
                 true,
                 candidates_.data(),
                 0,
                 weights_.data(),
                 static_cast<std::uint32_t>(positives_),
                 sum_weights(weights, positives_),
                 boost};
    // Candidates are in rising order, so the candidates whose rows are kept come first.
    const auto kept =
        static_cast<int>(std::lower_bound(candidates.begin(), candidates.end(), kept_) - candidates.begin());
    const auto count = static_cast<int>(candidates.size());
    Split best;
    job.count = kept;
    take_best(job, best);
    job.rows = scratch_.data();
    job.by_feature = false;
    for (int first = kept; first < count; first += scratch_rows_) {
      job.candidates = candidates_.data() + first;
      job.count = std::min(scratch_rows_, count - first);
      bins_.enqueue(job.candidates, 0, job.count, scratch_.data(), stream_.get());
      take_best(job, best);
    }
    return best;
  }

 private:
  void plan_rows(std::int64_t memory, int all) {
    const auto pitch = static_cast<std::int64_t>(std::max<std::size_t>(bins_.pitch(), 1));
    const std::int64_t room = free_bytes() / pitch;
    kept_ = static_cast<int>(std::clamp<std::int64_t>(std::min(memory / pitch, room), 0, all));
    if (kept_ < all) {
      kept_ = static_cast<int>(std::min<std::int64_t>(kept_, room / 4 * 3));
      scratch_rows_ = static_cast<int>(
          std::clamp<std::int64_t>(std::min(room - kept_, kScratchBytes / pitch), 1, all - kept_));
      scratch_.reserve(static_cast<std::size_t>(scratch_rows_ * pitch));
    }
    rows_.reserve(static_cast<std::size_t>(kept_ * pitch));
  }

  // Sends the candidates to the device if they differ from the candidates sent last. Often they do not,
  // because every search tries all features.
  void send_candidates(std::span<const int> candidates) {
    if (std::ranges::equal(candidates, sent_)) return;
    sent_.assign(candidates.begin(), candidates.end());
    check_cuda(cudaMemcpyAsync(candidates_.data(), sent_.data(), candidates.size_bytes(),
                               cudaMemcpyHostToDevice, stream_.get()),
               "copying candidates to the device");
  }

  void send_weights(std::span<const std::uint32_t> weights) {
    std::memcpy(host_weights_.data(), weights.data(), weights.size_bytes());
    check_cuda(cudaMemcpyAsync(weights_.data(), host_weights_.data(), weights.size_bytes(),
                               cudaMemcpyHostToDevice, stream_.get()),
               "copying weights to the device");
  }

  // Replaces `best` by the best split of the job's candidates, if that split is better.
  void take_best(const SplitJob& job, Split& best) {
    if (job.count == 0) return;
    const int blocks = std::min(most_blocks_, job.count);
    enqueue_splits(kind_, job, found_.data(), blocks, stream_.get());
    check_cuda(
        cudaMemcpyAsync(host_found_.data(), found_.data(), static_cast<std::size_t>(blocks) * sizeof(Split),
                        cudaMemcpyDeviceToHost, stream_.get()),
        "copying splits from the device");
    wait("finding the best split");
    for (int i = 0; i < blocks; ++i) {
      if (better(host_found_[static_cast<std::size_t>(i)], best))
        best = host_found_[static_cast<std::size_t>(i)];
    }
  }

  void wait(const char* doing) { check_cuda(cudaStreamSynchronize(stream_.get()), doing); }

  int device_;
  SplitKind kind_;
  std::size_t samples_, positives_;
  CudaStream stream_;
  DeviceBins bins_;
  int most_blocks_, kept_ = 0, scratch_rows_ = 1;
  PinnedBuffer<std::uint32_t> host_weights_;
  PinnedBuffer<Split> host_found_;
  DeviceBuffer<std::uint32_t> weights_;
  DeviceBuffer<int> candidates_;
  DeviceBuffer<Split> found_;
  DeviceBuffer<std::uint8_t> rows_, scratch_;
  std::vector<int> sent_;
};

}  // namespace

std::unique_ptr<BinTable> make_table_cuda(const TableRequest& request) {
  const CudaRange range("table of bins");
  require_cuda_device(request.device);
  const OnDevice on(request.device);
  return std::make_unique<DeviceTable>(request);
}

}  // namespace winnow
