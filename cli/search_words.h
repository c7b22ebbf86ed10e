// How to search and who does it, as the commands that search are told: the same words and the same checks.
#pragma once

#include <winnow/detector.h>

#include <CLI/CLI.hpp>
#include <string>

namespace winnow::cli {

struct SearchWords {
  std::string min_size, max_size, backend = "auto";
};

// `group`: the headline that they stand under in --help. `neighbors`: what --help says of --min-neighbors.
void add_search_words(CLI::App& app, SearchWords& words, DetectOptions& options, const std::string& neighbors,
                      const std::string& group);
void add_machine_words(CLI::App& app, SearchWords& words, MachineOptions& detector, const std::string& group);
// What the words say goes into the options; nonsense is a kUsage error.
void finish_search(const SearchWords& words, DetectOptions& options, MachineOptions& detector);

}  // namespace winnow::cli
