// Samples as a command line names them: the same words for `winnow train pack` and `winnow train cascade`.
#pragma once

#include <winnow/pack.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace winnow::cli {

struct PackWords {
  std::vector<std::string> positives, negatives;
  std::string window = "24x24", augment, crop, negative_crop, warp_angles;
  PackOptions options;
};

// `group`: the headline that they stand under in --help.
void add_pack_words(CLI::App& app, PackWords& words, const std::string& group);
// Reads the sources; what is left out is said on standard error.
Pack make_pack_of(PackWords& words);

double parse_real(const std::string& option, std::string_view text);
// "60M"
std::int64_t parse_bytes(const std::string& option, const std::string& text);

}  // namespace winnow::cli
