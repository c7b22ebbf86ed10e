// Runs a training: shows its table, writes its log, stops at Ctrl-C, and writes the files at the end.
//
// In:     the shared arguments, the training, and functions that write its model and make its page.
// Out:    the exit code.
// Memory: all arguments are borrowed for the call.
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"
#include "training/progress_rows.h"
#include "training/train_arguments.h"

namespace winnow::cli {

// What a line of the printed table stands for, such as "stage", and how many of these the user wants.
struct TrainUnits {
  const char* name;
  int count;
};

// `rows` shows the table and writes the log, by its functions step(step), finish(result) and log_failed().
// `unit` is what a line of the table stands for. `train(watcher)` returns a `Result`. `write(result)` writes
// the model and prints a line about it. `page(result)` returns the text of the page.
template <class Result, class Rows, class Train, class Write, class Page>
int watch_rows(const SharedTrainArguments& shared, const TrainFiles& files, Rows& rows, const char* unit,
               const Train& train, const Write& write, const Page& page) {
  watch_for_stop("winnow: stopping, once this step or picture is done; Ctrl-C again ends at once");
  bool remembered = false;
  // Is called at the first step or at the end. Only then is it known that the state in the checkpoint belongs
  // to this training.
  const auto remember_log = [&] {
    if (!remembered) files.remember(files.log);
    remembered = true;
  };
  std::optional<Result> trained;
  try {
    trained.emplace(train([&](const auto& step) {
      remember_log();
      rows.step(step);
      return !stop_requested();
    }));
  } catch (const Error& error) {
    clear_status();
    if (stop_requested() && error.code() == ErrorCode::kUsage) return shared.stopped();
    throw;
  }
  Result& result = *trained;
  remember_log();
  rows.finish(result);
  if (result.stopped && !shared.run.checkpoint.empty()) return shared.stopped();
  if (result.stopped) say(std::string("stopped: the model has the ") + unit + "s that were done");
  write(result);
  if (!files.report.empty() && !result.stopped) {
    const std::string text = page(result);
    files.remember(files.report);
    write_text(files.report, text);
    print(printable(files.report) + "\n");
  }
  if (result.stopped) return stop_exit_code();
  return rows.log_failed() ? kExitProblem : kExitDone;
}

template <class Result, class Train, class Write, class Page>
int watch_training(const SharedTrainArguments& shared, const TrainFiles& files, const TrainUnits& units,
                   const Train& train, const Write& write, const Page& page) {
  ProgressRows rows(units.name, units.count, shared.log, files.owns(files.log));
  return watch_rows<Result>(shared, files, rows, units.name, train, write, page);
}

}  // namespace winnow::cli
