// Keeps a training's state on disk, so that the training can resume after any break.
//
// In:     a folder, the training's fingerprint, and the state to save.
// Out:    the saved state. kUsage if another training wrote the file `stage`; kFormat if a file is damaged.
//         kIo if a file or the folder cannot be made or read; kLimit if a file exceeds 16 GiB.
// Exact:  the loaded state equals the saved state; a resumed training gives the same cascade.
// Memory: a `Checkpoint` owns the folder's name. The caller owns the loaded state. Saving makes one copy of
//         the state.
// Thread: one training per folder.
//
// A folder has two files. `stage` holds the state at the start of a stage. `trees` holds the weak classifiers
// that the stage has learned. Both files carry the fingerprint and end in a checksum. A new file is written
// beside the old file and then renamed, so that a break leaves the old or the new file undamaged.
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
void make_state_folder(const std::string& folder);  // kIo if the folder cannot be made
bool is_state_file(const std::string& path);        // true if the file exists; kIo if the system cannot tell
[[noreturn]] void refuse_other_state(const std::string& path);

struct StageStart {
  std::int32_t stage = 0;
  CascadeModel model;                // the finished stages
  std::vector<TrainedStage> stages;  // the finished stages, then this stage as far as known
  std::vector<WeakTree> weak;        // soft cascade: the weak classifiers of the finished stages
  std::vector<BinRule> rules;
  std::vector<std::uint8_t> alive;   // for each positive of the pack: 1 if this stage trains on it, else 0
  std::vector<MinedPlace> places;    // origins of this stage's negatives
  std::vector<std::uint8_t> pixels;  // pixels of this stage's negatives, window after window
  std::uint64_t position = 0;        // `Miner::position`
  double seconds = 0;                // training time so far
};

// True if a training can resume from this state. A file is hostile input even if its checksum is right, so
// the state of each loaded file is checked.
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
  // Returns nothing if the folder has no file `stage`. kUsage if another training wrote the file.
  std::optional<StageStart> load_start() const;
  // Returns no trees if the folder has no file `trees`, or if the file belongs to another training or stage.
  std::vector<WeakTree> load_trees(std::int32_t stage) const;

 private:
  bool is_there(const char* name) const;

  std::string folder_;
  std::uint64_t fingerprint_;
};

}  // namespace winnow
