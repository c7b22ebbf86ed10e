// Judges the windows of one picture on all ranks of a run: each judges some rows of every level.
//
// Rank 0 sends each rank the rows of pixels that its windows cover, and judges its own part meanwhile. The
// other ranks judge in a picture of the same size and plan, so all samples have the same bits.
//
// In:     on rank 0 pictures and plans, as of every sieve; on the others messages.
// Out:    the survivors and counters of the whole plan.
// Exact:  those of one rank alone, for any number of ranks.
// Memory: rank 0 copies rows only if they have gaps. Each rank holds a picture of the whole size, and reads
//         only its rows of it.
// Thread: one thread at a time. While the calling thread carries messages, another one judges rank 0's part.
#pragma once

#include <memory>
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
  // `own`: judges rank 0's part. `window`: the model's.
  SplitSieve(Transport& transport, std::unique_ptr<Pipeline> own, Size window);
  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override;
  std::string simd() const override { return own_->simd(); }

 private:
  void share(const LevelPlan& plan, Size picture);
  void gather();
  void join(SieveResult& result);

  Transport& transport_;
  std::unique_ptr<Pipeline> own_;
  Size window_;
  LevelPlan plan_;  // that `shares_` divide
  Size picture_;
  int plan_number_ = 0;
  std::vector<SplitShare> shares_;  // of each rank
  std::vector<Sifted> sifted_;      // by each rank
  std::vector<bool> expected_;      // the ranks that have not answered
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
