// Keeps the state of a training of HOG blocks on disk.
//
// In:     a folder, the run's fingerprint, and the state to save.
// Out:    the state as it was saved. Errors are those of `Checkpoint` (checkpoint.h), whose files these are
//         like: `stage`, the state at the start of a round, and `blocks`, what it learned since.
// Exact:  a resumed training gives the same model.
// Memory: the caller owns what is loaded.
// Thread: one training a folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <winnow/train_hog.h>

#include "train/mine.h"

namespace winnow {

std::uint64_t fingerprint(const Pack& pack, const HogCascadeOptions& options, std::uint64_t seed);

struct BlockRoundStart {
  std::int32_t round = 0;
  std::vector<std::byte> model;      // the file of the round before; empty in the first round
  std::vector<TrainedStage> rounds;  // the finished rounds, then this one as far as it is known
  std::vector<MinedPlace> places;    // of all negatives
  std::vector<std::uint8_t> pixels;
  std::uint64_t position = 0;  // `Miner::position`
  double seconds = 0;
};

class BlockCheckpoint {
 public:
  // Makes the folder. Without a folder (""), nothing is saved or loaded.
  BlockCheckpoint(std::string folder, std::uint64_t fingerprint);
  bool on() const { return !folder_.empty(); }
  bool has_start() const;
  void save(const BlockRoundStart& start) const;
  void save(std::int32_t round, const std::vector<HogBlockStage>& stages) const;
  // kFormat unless negatives fit `window_bytes`.
  std::optional<BlockRoundStart> load_start(std::size_t window_bytes) const;
  // Nothing if there is no such file, or if it is of another run or round. kFormat for stages that are none
  // of a cascade like `like`.
  std::vector<HogBlockStage> load_stages(std::int32_t round, const HogCascadeModel& like) const;

 private:
  std::string path(const char* name) const;

  std::string folder_;
  std::uint64_t fingerprint_;
};

}  // namespace winnow
