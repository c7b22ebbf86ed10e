// The run behind `winnow eval detector`: every model searches every picture, a picture is read once; then the
// evaluation is written to a folder and its figures to standard output. A picture that cannot be read is
// named and left out together with its labels, so that the models are judged on the same pictures.
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
  std::vector<TruthOptions> truth_options;  // one a truth
  std::vector<std::string> negatives;       // pictures without objects, folders and lists of them
  std::vector<std::string> windows_positive, windows_negative;
  EvalRule rule;
  DetectOptions options;
  MachineOptions detector;
  std::string out, fddb, title;
  bool json = false, quiet = false;
};

// Returns the exit code.
int run_eval(const EvalJob& job);

}  // namespace winnow::cli
