// Command lines: parsing with one way to fail, and the small values that options take.
// All failures are `winnow::Error` with kUsage, so that they end in one sentence and exit code 2.
#pragma once

#include <winnow/box.h>
#include <winnow/cascade.h>

#include <CLI/CLI.hpp>
#include <string>

#include "commands.h"

namespace winnow::cli {

// False if help was asked for (and printed): there is nothing left to do then.
bool parse_arguments(CLI::App& app, const Arguments& arguments);

// Throws unless `holds`.
void require(bool holds, const std::string& sentence);

Size parse_size(const std::string& option, const std::string& text);  // "24x24"
Box parse_box(const std::string& option,
              const std::string& text);  // "10,20,300,200"; x and y may be negative

// The file of a model given by name or by file; the error for an empty or unknown one lists what is
// installed.
std::string find_model_file(const std::string& name_or_path);
// The name that results carry: the model card's, or else the file's.
std::string model_name(const ModelCard& card, const std::string& path);

}  // namespace winnow::cli
