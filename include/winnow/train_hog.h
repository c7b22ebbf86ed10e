// Trains detectors of histograms of oriented gradients: cascades of HOG blocks, and linear SVMs.
//
//   winnow::HogCascadeOptions options;
//   winnow::HogCascadeResult result = winnow::train_hog_cascade(pack, options);
//   result.cascade.save("mug.winnow");
//
// In:     a pack, what to learn, and how to run (`RunOptions`).
// Out:    a model, and for each round of the training the rates on its own samples.
// Exact:  the same pack, options and seed give the same model on every backend. The number of threads, the
//         amount of memory and an interruption do not change it.
// Memory: at most `RunOptions::memory` for the samples' histograms, beside the pack. Pack, options and
//         watcher are borrowed for the call; results belong to the caller. `hog_colors_name` returns a string
//         that lives as long as the program.
// Thread: any number of trainings at once, each in its own folder.
//
// The pack's samples may be larger than the model's window. The window is then the middle of a sample, with a
// border around it. A border of one pixel is enough for a cascade. An SVM needs a border as wide as a block's
// stride. Without a border, samples are mirrored at their edges, and gradients there are lost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/hog.h>
#include <winnow/hog_cascade.h>
#include <winnow/pack.h>
#include <winnow/train.h>

namespace winnow {

// A cascade of stages, as in the paper of Zhu and others (docs/design/016-blocks.md). A stage is a range of
// blocks; only its last block has a limit. The sum of scores and the learning go on from stage to stage. A
// stage ends once its limit rejects enough of its negatives. Negatives that pass, and new false alarms, are
// the negatives of the next stage.
struct HogStageOptions {
  int stages = 30;          // the most stages; the training has a round for each
  double min_hit = 0.99;    // each stage passes at least this fraction of the positives that reach it
  double max_false = 0.65;  // each stage passes at most this fraction of its negatives
  int max_blocks = 100;     // the most blocks of a stage
};

struct HogCascadeOptions {
  Size window{64, 128};
  int grid = 4;  // corners of cells lie on every `grid`-th pixel: 2, 4 or 8
  int step = 8;  // pixels from one window to the next, a multiple of the grid
  // Each round mines false alarms of the model so far, adds them to its negatives, and learns anew. A round
  // has a quarter of the next round's stages; the last round has `max_stages`.
  int rounds = 4;
  int max_stages = 512;
  double min_hit = 0.98;     // the whole cascade passes at least this fraction of the positives
  int negatives = 0;         // mined in each round or stage; 0: as many as positives, at least 1000
  int blocks_per_round = 0;  // about this many random blocks are tried for each new block; 0: all
  // If set, `rounds`, `max_stages` and `min_hit` have no effect.
  std::optional<HogStageOptions> stages;

  int most_rounds() const { return stages ? stages->stages : rounds; }
};

struct HogCascadeResult {
  HogCascade cascade;
  std::vector<TrainedStage> rounds;
  std::string ended_early;  // as in `TrainResult`
  bool stopped = false;     // whether the watcher stopped the training
  std::string backend;
  double seconds = 0;
};

// Throws the same errors as `train_cascade`.
WINNOW_API HogCascadeResult train_hog_cascade(const Pack& pack, const HogCascadeOptions& options,
                                              const RunOptions& run = {}, const TrainWatcher& watcher = {});
// Throws the errors of `train_hog_cascade` that do not depend on samples.
WINNOW_API void check_training(const HogCascadeOptions& options, const RunOptions& run);

// The samples that an SVM learns from a pack with colours. A pack of grey is learned in grey.
enum class HogColors {
  kUse,    // samples in colour
  kLeave,  // samples in grey
  kBoth,   // each sample twice, in colour and in grey, for models that search pictures of both kinds
};
WINNOW_API const char* hog_colors_name(HogColors colors);  // "use", "leave" or "both"
// Returns the value with this name. kUsage for any other name, in an error that lists the names.
WINNOW_API HogColors parse_hog_colors(const std::string& name);

struct HogSvmOptions {
  HogShape shape;
  // Each round but the first mines false alarms of the model so far, and learns anew from all samples.
  int rounds = 3;
  int negatives = 0;    // added per round: first random, then mined; 0: twice the positives, at least 1000
  double cost = 0.02;   // the weight of errors, compared with the norm of the SVM's weights
  double hard = 0;      // the least score of windows that are mined as false alarms
  bool squared = true;  // whether errors are squared
  // After the last round the bias is set so that a score of 0 gives at most this many false alarms per window
  // of the pack's pictures without the object. 0 keeps the bias that was learned.
  double false_alarms = 3e-5;
  // For objects that look like their mirror images. The weights of the window's left half then mirror those
  // of its right half, and each sample counts together with its mirror image.
  bool symmetric = false;
  HogColors colors = HogColors::kUse;  // kBoth needs a pack with colours
};

struct HogSvmResult {
  HogSvm svm;
  std::vector<TrainedStage> rounds;  // `weak` is the number of passes over the samples
  std::string ended_early;
  bool stopped = false;
  std::string backend;
  double seconds = 0;
};

// A pack with colours gives a model that was trained in colour. A resumed training begins its unfinished
// round anew, which takes about a minute.
WINNOW_API HogSvmResult train_hog_svm(const Pack& pack, const HogSvmOptions& options,
                                      const RunOptions& run = {}, const TrainWatcher& watcher = {});
WINNOW_API void check_training(const HogSvmOptions& options, const RunOptions& run);

// A page about a training, like `training_page` in train.h. The pack must be that of the training.
WINNOW_API std::string training_page(const Pack& pack, const HogCascadeOptions& options,
                                     const RunOptions& run, const HogCascadeResult& result);
WINNOW_API std::string training_page(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
                                     const HogSvmResult& result);

// Lists the blocks that a window of this size has on the grid. If a training finds two blocks equally good,
// it takes the earlier block in this list. kUsage if no cascade may have the grid, or a window of this size.
WINNOW_API std::vector<HogBlock> list_hog_blocks(Size window, int grid);

}  // namespace winnow
