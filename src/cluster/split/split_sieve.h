// Judges the windows of one picture on all ranks of a run: each judges strips of it (`split_shares.h`).
//
// Rank 0 deals strips to ranks as they ask for them, with the rows of pixels that the windows cover. It
// judges strips itself meanwhile. The other ranks judge in a picture of the same size, so all samples have
// the same bits.
//
// In:     on rank 0 pictures and plans, as of every sieve; on the others messages.
// Out:    the survivors and counters of the whole plan.
// Exact:  those of one rank alone, for any number of ranks.
// Memory: rank 0 copies rows only if they have gaps. Each rank holds a picture of the whole size, and reads
//         only its rows of it.
// Thread: one thread at a time. While the calling thread carries messages, another one judges rank 0's
//         strips.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "cluster/messages.h"
#include "cluster/split/split_messages.h"
#include "cluster/split/split_shares.h"
#include "cluster/transport.h"
#include "pipeline/pipeline.h"
#include "sieve/stages.h"

namespace winnow {

class SplitSieve final : public Sieve {
 public:
  // `own`: judges rank 0's strips. `window`: the model's. `rounds`: of dealing (`split_shares`). One is best
  // for devices, which plan anew for each strip. With several, no rank waits long for another.
  SplitSieve(Transport& transport, std::unique_ptr<Pipeline> own, Size window, int rounds);
  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override;
  std::string simd() const override { return own_->simd(); }

 private:
  void share(const LevelPlan& plan, Size picture);
  std::optional<std::size_t> next_share();
  void work(const PictureView& picture);
  void deal(const PictureView& picture);
  void take(int from, std::size_t share, const Message& message);
  void join(SieveResult& result);

  Transport& transport_;
  std::unique_ptr<Pipeline> own_;
  Size window_;
  int rounds_;
  LevelPlan plan_;  // that `shares_` divides
  Size picture_;
  int plans_ = 0;  // how many there were
  std::vector<SplitShare> shares_;
  std::vector<Sifted> sifted_;                  // each share's
  std::atomic<std::size_t> next_ = 0;           // the share that nobody has
  std::vector<std::deque<std::size_t>> dealt_;  // to each rank, and not answered
  std::vector<Survivor> spare_;
};

// What a rank does with rows of pictures.
struct RankSift {
  std::unique_ptr<Pipeline> pipeline;
  Size window;  // the model's
};
// `machine`: the rank's part of its host. With kAuto, the processor sifts.
WINNOW_API RankSift make_rank_sift(const DetectorModel& model, const MachineOptions& machine);
// Answers rows of pictures until rank 0 ends the run. Rank 0 has greeted this rank.
void sift_as_rank(Transport& transport, RankSift sift);

}  // namespace winnow
