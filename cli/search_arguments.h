// Gives the options of a search and of the machine. All commands use the same words and checks for them.
//
// In:     words of the command line.
// Out:    `DetectOptions` and `MachineOptions`, or an `Error` (kUsage).
// Exact:  the same words give the same options.
// Memory: `app` refers to `args`, `options`, `detector` and `model`, which must outlive the parse.
// Thread: the main thread.
#pragma once

#include <winnow/detector.h>

#include <CLI/CLI.hpp>
#include <string>

namespace winnow::cli {

struct SearchArguments {
  std::string min_size, max_size, step, padding, merge, backend = "auto";
};

// Adds the option for the model to search with. `model` holds the default.
void add_model_option(CLI::App& app, std::string& model);
// `heading`: the headline of the options in --help. An option that is not given leaves its field without a
// value, so that the search takes the model's default. `faces`: whether `face_search` completes the options.
void add_search_options(CLI::App& app, SearchArguments& args, DetectOptions& options,
                        const std::string& heading, bool faces = false);
void add_machine_options(CLI::App& app, SearchArguments& args, MachineOptions& detector,
                         const std::string& heading);
// Adds the same options without --backend.
void add_device_options(CLI::App& app, MachineOptions& detector, const std::string& heading);
// Checks the words and puts them into the options. kUsage for words that make no sense.
void finish_search(const SearchArguments& args, DetectOptions& options, MachineOptions& detector);
// Whether --stride has an effect, that is, whether the model's windows lie a fixed number of pixels apart.
bool has_step(const DetectorModel& model);
// kUsage for a padding if the model knows no padding. kUsage for a step if the model has no step, or if the
// step is no multiple of the model's step unit. Padding and step may be 0. `name`: the model's name.
void check_windows(const DetectorModel& model, const std::string& name, const DetectOptions& options);

}  // namespace winnow::cli
