// A training's state on disk, to go on from after any break.
// Two files in a folder: `stage`, what a stage began with, and `trees`, what it has learned since; each is
// written beside and renamed, and ends in a checksum, so that a break of the program leaves
// the one before or the one after.
// Both carry the run's fingerprint: of the pack and of the options that change the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <winnow/train.h>

#include "train/boost.h"
#include "train/mine.h"

namespace winnow {

std::uint64_t fingerprint(const Pack& pack, const CascadeOptions& options, std::uint64_t seed);

struct StageStart {
  std::int32_t stage = 0;
  CascadeModel model;                // the stages before
  std::vector<TrainedStage> stages;  // and this one, as far as it is known
  std::vector<WeakTree> weak;        // of a soft cascade: those stages' weak classifiers
  std::vector<BinRule> rules;
  std::vector<std::uint8_t> alive;  // of the pack's positives
  std::vector<MinedPlace> places;   // of this stage's negatives
  std::vector<std::uint8_t> pixels;
  std::uint64_t position = 0;  // the miner's
  double seconds = 0;
};

// Whether what a checkpoint held can be gone on with: a file is hostile input, whatever its checksum says.
bool fits(const StageStart& start, const RunFeatures& features, const Pack& pack,
          const CascadeOptions& options);
bool fits(const WeakTree& tree, const RunFeatures& features, const CascadeOptions& options);

class Checkpoint {
 public:
  // Makes the folder. "": keeps nothing.
  Checkpoint(std::string folder, std::uint64_t fingerprint);
  bool on() const { return !folder_.empty(); }
  void save(const StageStart& start) const;
  void save(std::int32_t stage, const std::vector<WeakTree>& trees) const;
  bool has_start() const;
  // Empty if there is none; another run's is an error.
  std::optional<StageStart> load_start() const;
  std::vector<WeakTree> load_trees(std::int32_t stage) const;

 private:
  bool is_there(const char* name) const;

  std::string folder_;
  std::uint64_t fingerprint_;
};

}  // namespace winnow
