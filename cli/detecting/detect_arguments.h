// Gives the options of `winnow detect` and `winnow faces`, and what they stand for.
//
// In:     words of the command line.
// Out:    a job whose options were checked, models and inputs; or an `Error` (kUsage).
// Exact:  the same words give the same job.
// Memory: `app` refers to `args`, which must outlive the parse.
// Thread: the main thread.
#pragma once

#include <winnow/feed.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "detecting/detect_run.h"
#include "search_arguments.h"

namespace winnow::cli {

// The values that CLI11 fills, before they are checked.
struct DetectArguments {
  InputRequest inputs;
  bool list_left_out = false;
  DetectJob job;
  SearchArguments search;
  std::string format = "jsonl", roi, model = "face", landmarks, between, until_found;
  std::optional<int> detect_every, gap;
  std::optional<double> smooth;
  int points = 0;  // 0: not given
};

// `faces`: the options of `winnow faces`.
void add_detect_options(CLI::App& app, DetectArguments& args, bool faces);
// Checks the words. The models are still to be found.
DetectJob checked_job(const DetectArguments& args);
// Finds the files of the models that the words name. `command`: the command's name, for messages.
void find_models(const DetectArguments& args, bool faces, const std::string& command, DetectJob& job);
// Lists the inputs. Notes in the job what the folders hold besides.
std::vector<Input> list_inputs(const DetectArguments& args, DetectJob& job);

}  // namespace winnow::cli
