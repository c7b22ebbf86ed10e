// Runs `winnow eval detector`: every model searches every picture, and the evaluation is written to a folder.
//
// In:     a job whose options were checked.
// Out:    the files of the evaluation, figures on standard output, and the exit code. A picture that cannot
//         be read is named and left out with its labels. All models are judged on the same pictures.
// Memory: a picture is decoded once for all models. The reader's queue bounds the decoded pictures
//         (`feed.h`).
// Thread: the main thread; one thread reads ahead.
#pragma once

#include <winnow/detector.h>
#include <winnow/eval.h>
#include <winnow/truth.h>

#include <string>
#include <vector>

#include "commands.h"

namespace winnow::cli {

struct EvalJob {
  std::vector<std::string> models;          // files
  std::vector<std::string> truth;           // files or folders
  std::vector<TruthOptions> truth_options;  // one for each truth
  std::vector<std::string> negatives;       // pictures without objects: files, folders and lists
  std::vector<std::string> windows_positive, windows_negative;
  int encode = 0;  // crops become JPEGs of this quality before they are judged; 0: they stay as they are
  EvalRule rule;
  bool own_place = false;  // judges each model by its own `ObjectPlace` instead of that of `rule`
  DetectOptions options;
  MachineOptions detector;
  std::string out, fddb, title;
  bool json = false, quiet = false;
};

// Returns the exit code.
int run_eval(const EvalJob& job);

}  // namespace winnow::cli
