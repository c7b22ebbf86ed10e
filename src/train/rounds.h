// Runs a training in rounds. Each round mines false alarms of the model so far, adds them to the training's
// negatives, and learns a new model.
//
// In:     a pack, a mining task, the number of rounds; a class that learns a round.
// Out:    the model of the last round, and the figures of each round.
// Exact:  a training that resumes gives the same model as one without a break.
// Memory: a `RoundTrainer` owns the negatives' pixels. Pack and watcher must outlive the `RoundTrainer`. The
//         pixels of `negative(i)` are valid until `keep_negatives` is called or `learn_round` ends.
// Thread: one thread at a time; mining uses more threads inside.
//
// When a round begins, its state is saved in the file `stage` of the checkpoint's folder. Errors are those of
// `Checkpoint` (checkpoint.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <winnow/train.h>

#include "train/mine.h"

namespace winnow {

double seconds_since(std::chrono::steady_clock::time_point start);

struct RoundPlan {
  MineTask task;
  int rounds = 1;
  int negatives = 0;  // number mined for each round, unless `refills`
  // True: `negatives` counts all negatives of a round, including those that `keep_negatives` kept. Mining
  // adds the negatives that are missing.
  bool refills = false;
  const char* unit = "round";     // the name of a round in errors
  std::uint64_t magic = 0;        // the first number of the state's file
  std::uint64_t fingerprint = 0;  // hash of the pack, the options and the seed
};

class RoundTrainer {
 public:
  virtual ~RoundTrainer() = default;

 protected:
  RoundTrainer(const Pack& pack, RoundPlan plan, const RunOptions& run, const TrainWatcher& watcher);

  // Learns from the pack's positives and from all `negative(i)`. Calls `finish_round` at the end, unless
  // the watcher stopped the training. May call `end_early` instead of `finish_round`.
  virtual void learn_round() = 0;
  // Whether the model in a checkpoint can come from this training.
  virtual bool is_ours(const DetectorModel& model) const = 0;

  // Runs all rounds. Throws if no round was finished: kUsage if the watcher stopped the training, else
  // kFormat.
  void train_rounds();
  void finish_round(std::vector<std::byte> model);
  // Removes the negatives whose entry in `kept` is 0.
  void keep_negatives(const std::vector<std::uint8_t>& kept);
  void end_early(std::string why) { ended_ = std::move(why); }
  // Returns false if the watcher stops the training.
  bool notify(TrainStep::What what);

  int number() const { return state_.round; }
  TrainedStage& round() { return state_.rounds[static_cast<std::size_t>(state_.round)]; }
  std::size_t negatives() const { return state_.places.size(); }
  const std::uint8_t* negative(std::size_t i) const { return state_.pixels.data() + i * plan_.task.bytes(); }
  bool stopped() const { return stopped_; }
  const RunOptions& options_of_run() const { return run_; }

  const std::vector<std::byte>& model() const { return state_.model; }  // the bytes of a model's file
  std::vector<TrainedStage> finished() const;
  const std::string& ended_early() const { return ended_; }
  double seconds() const { return seconds_before_ + seconds_since(start_); }

 private:
  struct State {
    std::int32_t round = 0;
    std::vector<std::byte> model;      // the model of the last finished round; empty in the first round
    std::vector<TrainedStage> rounds;  // the finished rounds, then this round as far as known
    std::vector<MinedPlace> places;    // the places of all negatives
    std::vector<std::uint8_t> pixels;
    std::uint64_t position = 0;  // `Miner::position`
    double seconds = 0;
  };

  std::string path() const;
  void save() const;
  bool load();
  void begin();
  bool next_negatives();

  RoundPlan plan_;
  const RunOptions run_;
  const TrainWatcher& watcher_;
  Miner miner_;
  State state_;
  bool stopped_ = false;
  std::string ended_;
  double seconds_before_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// kUsage if the number of rounds, negatives or threads, or the memory limit, makes no sense.
void check_rounds(int rounds, int negatives, const RunOptions& run);
// kLimit if all rounds together have too many samples, or if the samples take more than `run.memory`. Each
// sample takes `bytes_per_sample`, and a negative also takes its pixels.
void check_rounds(std::size_t positives, const RoundPlan& plan, std::int64_t bytes_per_sample,
                  const RunOptions& run);

}  // namespace winnow
