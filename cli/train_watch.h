// Runs a training of rounds: table, log, Ctrl-C, and the files at the end.
//
// In:     the shared arguments, the training, and what writes its model.
// Out:    the exit code.
// Thread: the main thread.
#pragma once

#include <winnow/error.h>
#include <winnow/train.h>

#include <optional>

#include "commands.h"
#include "stop.h"
#include "terminal.h"
#include "train_arguments.h"
#include "train_table.h"

namespace winnow::cli {

// `train(watcher)` gives a `Result`; `write(result)` writes the model and says so.
template <class Result, class Train, class Write>
int watch_training(const SharedTrainArguments& shared, const TrainFiles& files, int rounds,
                   const Train& train, const Write& write) {
  watch_for_stop("winnow: stopping, once this step or picture is done; Ctrl-C again ends at once");
  TrainTable table("round", rounds, shared.log, files.owns(files.log));
  bool remembered = false;
  // Waits until the state is known to belong to this training.
  const auto remember_log = [&] {
    if (!remembered) files.remember(files.log);
    remembered = true;
  };
  std::optional<Result> trained;
  try {
    trained.emplace(train([&](const TrainStep& step) {
      remember_log();
      table.step(step);
      return !stop_requested();
    }));
  } catch (const Error& error) {
    clear_status();
    if (stop_requested() && error.code() == ErrorCode::kUsage) return shared.stopped();
    throw;
  }
  const Result& result = *trained;
  remember_log();
  table.finish(result.rounds.size(), result.ended_early, result.stopped, result.backend, result.seconds);
  if (result.stopped && !shared.run.checkpoint.empty()) return shared.stopped();
  if (result.stopped) say("stopped: the model is that of the rounds that were done");
  write(result);
  if (result.stopped) return stop_exit_code();
  return table.log_failed() ? kExitProblem : kExitDone;
}

}  // namespace winnow::cli
