// Keeps the stages that an unfinished round has learned so far. Their file `blocks` lies beside the file
// `stage`, which holds the state at the round's start (rounds.h).
//
// In:     a folder that exists, the training's fingerprint, and the stages.
// Out:    the saved stages, without their `min_sum`, which is 0 in loaded stages. Errors are those of
//         `Checkpoint` (checkpoint.h).
// Exact:  a resumed training gives the same model.
// Memory: the caller owns the loaded stages.
// Thread: one training per folder.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <winnow/train_hog.h>

namespace winnow {

inline constexpr std::uint64_t kBlockState = 0x31544b4c42574e57;  // "WNWBLKT1"

// A hash of the pack, the seed and the options that change the model.
std::uint64_t fingerprint(const Pack& pack, const HogCascadeOptions& options, std::uint64_t seed);

class BlockCheckpoint {
 public:
  // Without a folder (""), nothing is saved or loaded.
  BlockCheckpoint(std::string folder, std::uint64_t fingerprint)
      : folder_(std::move(folder)), fingerprint_(fingerprint) {}
  void save(std::int32_t round, const std::vector<HogBlockStage>& stages) const;
  // Returns the saved stages, or none if there is no file, or if the file belongs to another training or
  // round. kFormat if the stages are not valid for the window and grid of `like`.
  std::vector<HogBlockStage> load(std::int32_t round, const HogCascadeModel& like) const;

 private:
  std::string path() const;

  std::string folder_;
  std::uint64_t fingerprint_;
};

}  // namespace winnow
