// Gives the options that all `winnow train KIND` commands have: samples, run and output.
//
// In:     the words of the command line.
// Out:    the pack, the options of the run, and the files to write; kUsage errors.
// Memory: `app` refers to the arguments, which must outlive the parse. Packs and results belong to the
//         caller.
// Thread: the main thread.
#pragma once

#include <winnow/pack.h>
#include <winnow/train.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "training/card_arguments.h"
#include "training/pack_arguments.h"
#include "training/train_files.h"

namespace winnow::cli {

struct SharedTrainArguments {
  PackArguments pack;
  std::vector<std::string> packs;
  std::optional<std::string> backend, memory;  // no value: the library's default
  std::string out, log, report;
  CardArguments card;
  bool no_report = false, force = false;
  RunOptions run;

  // Call the next three functions in this order, which is the order of headlines in the help. Each kind of
  // model adds its own options between the first two calls.
  void add_sample_options(CLI::App& app);
  void add_run_options(CLI::App& app, const std::string& what_memory_is_for);
  // `out` describes the file of --out in the help, such as "file to write: .winnow".
  void add_output_options(CLI::App& app, const std::string& out);

  // Call this after parsing. kUsage for options that do not go together.
  void finish();
  // Checks the options of samples before the work begins. kUsage if there are samples from --pack and from
  // other options, or none at all. kUsage if the options do not fit the kind of training. `window`: an
  // example of --window if the kind of training needs this option; else null.
  void check_samples(const CLI::App& app, bool reads_color, const char* window) const;
  Pack read();
  // The files that the training writes, checked against the packs and --force.
  TrainFiles checked_files() const;
  ModelCard made_card() const;
  // Tells the user that the training was stopped, and returns the exit code.
  int stopped() const;

 private:
  std::string report_path() const;  // "" if no page is wanted
};

// Tells the format of the model from the name of its file: true for OpenCV's XML, false for Winnow's own
// format. kUsage if the name ends like neither.
bool ends_in_xml(const std::string& out);

// Returns the model with this card. A card without search defaults gets those that the training chose.
template <class Model>
Model with_card(const Model& model, const ModelCard& card) {
  auto data = model.model();
  const auto search = data.card.search;
  data.card = card;
  if (!data.card.search) data.card.search = search;
  return Model(std::move(data));
}

}  // namespace winnow::cli
