// Keeps a training's state on disk, so that a training resumes after any break.
//
// In:     a folder, the run's fingerprint, and the state to save.
// Out:    the state as it was saved. kUsage if `stage` is of another run; kFormat if a file is damaged. kIo
//         if a file or the folder cannot be made or read; kLimit if a file exceeds 16 GiB.
// Exact:  the loaded state equals the saved state; a resumed training gives the same cascade.
// Memory: owns the folder's name. The caller owns the loaded state; saving makes one copy of the state.
// Thread: one training per folder.
//
// A folder has two files: `stage`, the state at the start of a stage, and `trees`, the weak classifiers
// learned since. Each file is written beside the old one and renamed, and ends in a checksum. So a break
// leaves the old file or the new one. Both files carry the fingerprint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <winnow/train.h>

#include "train/boost.h"
#include "train/mine.h"
#include "train/state_file.h"

namespace winnow {

// A hash of the pack's pixels and pictures, the seed and the options that change the model.
std::uint64_t fingerprint(const Pack& pack, const CascadeOptions& options, std::uint64_t seed);

// The hash of a pack, for the fingerprints of all kinds of training.
std::uint64_t hash_pack(const Pack& pack);
void put_stages(StateWriter& out, const std::vector<TrainedStage>& stages);
std::vector<TrainedStage> get_stages(StateReader& in);
void make_state_folder(const std::string& folder);  // kIo if it cannot be made
bool is_state_file(const std::string& path);        // whether it exists; kIo if that cannot be known
[[noreturn]] void refuse_other_state(const std::string& path);

struct StageStart {
  std::int32_t stage = 0;
  CascadeModel model;                // the finished stages
  std::vector<TrainedStage> stages;  // the finished stages, then the known fields of this one
  std::vector<WeakTree> weak;        // soft cascade: the weak classifiers of the finished stages
  std::vector<BinRule> rules;
  std::vector<std::uint8_t> alive;   // for each positive of the pack: 1 if this stage trains on it, else 0
  std::vector<MinedPlace> places;    // origins of this stage's negatives
  std::vector<std::uint8_t> pixels;  // windows of this stage's negatives, one after the other
  std::uint64_t position = 0;        // `Miner::position`
  double seconds = 0;                // spent so far
};

// True if a training can resume from the state in a checkpoint. A file is hostile input, whatever its
// checksum says.
bool fits(const StageStart& start, const RunFeatures& features, const Pack& pack,
          const CascadeOptions& options);
bool fits(const WeakTree& tree, const RunFeatures& features, const CascadeOptions& options);

class Checkpoint {
 public:
  // Makes the folder. Without a folder (""), nothing is saved or loaded.
  Checkpoint(std::string folder, std::uint64_t fingerprint);
  bool on() const { return !folder_.empty(); }
  void save(const StageStart& start) const;
  void save(std::int32_t stage, const std::vector<WeakTree>& trees) const;
  bool has_start() const;
  // Returns nothing if the folder has no `stage`. kUsage if another run wrote the file.
  std::optional<StageStart> load_start() const;
  // Returns nothing if the folder has no `trees`, or if they are of another run or stage.
  std::vector<WeakTree> load_trees(std::int32_t stage) const;

 private:
  bool is_there(const char* name) const;

  std::string folder_;
  std::uint64_t fingerprint_;
};

}  // namespace winnow
