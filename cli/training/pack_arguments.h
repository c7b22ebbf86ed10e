// Gives the options that name samples, for all `winnow train` commands that make packs.
//
// In:     words of the command line.
// Out:    a pack, or an `Error`.
// Memory: `app` refers to `args`, which must outlive the parse. The pack belongs to the caller.
#pragma once

#include <winnow/pack.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace winnow::cli {

struct PackArguments {
  std::vector<std::string> positives, negatives;
  std::string window = "24x24", augment, crop, negative_crop, warp_angles;
  PackOptions options;
};

// `heading`: the headline of the options in --help.
void add_pack_options(CLI::App& app, PackArguments& args, const std::string& heading);
// Reads the sources. Sentences about samples that are left out go to standard error.
Pack make_pack_of(PackArguments& args);

double parse_real(const std::string& option, std::string_view text);
// A size such as "60M", as bytes.
std::int64_t parse_bytes(const std::string& option, const std::string& text);

}  // namespace winnow::cli
