#include "learn/bin_table.h"

#include <algorithm>

#include "base/share_work.h"

namespace winnow {
namespace {

// The functions that differ between the backends `reference` and `cpu`.
struct HostSteps {
  void (*bin_chunk)(const BinFeature&, const BinRule&, const SamplePlanes&, std::size_t chunk,
                    std::uint8_t* bins);
  void (*weigh_bins)(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                     std::size_t positives, BinWeights& sums);
};

class HostTable final : public BinTable {
 public:
  HostTable(const HostSteps& steps, const TableRequest& request)
      : steps_(steps),
        features_(*request.features),
        planes_(*request.planes),
        positives_(request.positives),
        kind_(split_kind(request.features->list.kind, request.weak)),
        threads_(request.threads),
        pitch_(planes_.chunks() * kSampleChunk) {
    const std::int64_t fit = request.memory / static_cast<std::int64_t>(std::max<std::size_t>(pitch_, 1));
    kept_ = static_cast<int>(std::clamp<std::int64_t>(fit, 0, features_.list.size()));
    bytes_.resize(static_cast<std::size_t>(kept_) * pitch_);
    // A chunk's planes stay in the cache while all features read them.
    share_work(threads_, planes_.chunks(), 1, [&](std::size_t, std::size_t chunk) {
      for (int f = 0; f < kept_; ++f)
        make_chunk(f, chunk, bytes_.data() + static_cast<std::size_t>(f) * pitch_);
    });
  }

  void row(int feature, std::vector<std::uint8_t>& bins) override {
    std::vector<std::uint8_t> scratch;
    const auto row = row_of(feature, scratch);
    bins.assign(row.begin(), row.end());
  }

  Split best_split(std::span<const int> candidates, std::span<const std::uint32_t> weights,
                   BoostKind boost) override {
    const Weights all = sum_weights(weights, positives_);
    struct Own {
      Split best;
      std::vector<std::uint8_t> scratch;
    };
    std::vector<Own> owns(static_cast<std::size_t>(std::max(threads_, 1)));
    share_work(threads_, candidates.size(), 64, [&](std::size_t thread, std::size_t i) {
      Own& own = owns[thread];
      BinWeights sums;
      std::uint8_t order[kBins];
      steps_.weigh_bins(row_of(candidates[i], own.scratch), weights, positives_, sums);
      Split split = split_of(kind_, boost, sums, all, order);
      if (split.gain < 0) return;
      split.feature = candidates[i];
      if (better(split, own.best)) own.best = split;
    });
    Split best;
    for (const Own& own : owns) {
      if (better(own.best, best)) best = own.best;
    }
    return best;
  }

 private:
  void make_chunk(int feature, std::size_t chunk, std::uint8_t* row) const {
    const auto f = static_cast<std::size_t>(feature);
    steps_.bin_chunk(features_.compiled[f], features_.rules[f], planes_, chunk, row + chunk * kSampleChunk);
  }
  // The result may point into `scratch`.
  std::span<const std::uint8_t> row_of(int feature, std::vector<std::uint8_t>& scratch) const {
    if (feature < kept_)
      return {bytes_.data() + static_cast<std::size_t>(feature) * pitch_, planes_.samples()};
    scratch.resize(pitch_);
    for (std::size_t chunk = 0; chunk < planes_.chunks(); ++chunk) make_chunk(feature, chunk, scratch.data());
    return {scratch.data(), planes_.samples()};
  }

  HostSteps steps_;
  const RunFeatures& features_;
  const SamplePlanes& planes_;
  std::size_t positives_;
  SplitKind kind_;
  int threads_, kept_ = 0;
  std::size_t pitch_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

std::unique_ptr<BinTable> make_table_ref(const TableRequest& request) {
  return std::make_unique<HostTable>(HostSteps{bin_chunk_ref, weigh_bins_ref}, request);
}
std::unique_ptr<BinTable> make_table_cpu(const TableRequest& request) {
  return std::make_unique<HostTable>(HostSteps{bin_chunk_cpu, weigh_bins_cpu}, request);
}

}  // namespace winnow
