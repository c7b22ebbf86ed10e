// Parses command lines and the small values that options take.
//
// In:     arguments without the command's name.
// Out:    values. Every failure is an `Error` (kUsage), which ends in one sentence and exit code 2.
// Memory: results belong to the caller.
// Thread: the main thread.
#pragma once

#include <winnow/box.h>
#include <winnow/cascade.h>
#include <winnow/error.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "commands.h"

namespace winnow::cli {

// Returns false if the arguments asked for help. The help is printed, and the command has nothing left to do.
// `other`: a command that may have the options that `app` lacks; the error then names it.
bool parse_arguments(CLI::App& app, const Arguments& arguments, const CLI::App* other = nullptr);

// Adds options below one headline of --help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& app, std::string heading) : app_(app), heading_(std::move(heading)) {}

  // `type`: the word for the value in --help.
  template <class Value>
  CLI::Option* value(const char* name, Value& value, const char* type, const std::string& help) const {
    return app_.add_option(name, value, help)->type_name(type)->group(heading_);
  }
  CLI::Option* flag(const char* name, bool& flag, const std::string& help) const {
    return app_.add_flag(name, flag, help)->group(heading_);
  }
  const std::string& heading() const { return heading_; }

 private:
  CLI::App& app_;
  std::string heading_;
};

// Lets an option take one value each time that it is given.
inline CLI::Option* one_a_time(CLI::Option* option) { return option->allow_extra_args(false); }

// Adds the option --seed. kUsage for a text that is no unsigned number of 64 bits.
void add_seed(const OptionGroup& group, std::uint64_t& seed, const std::string& help);

// Throws kUsage with `sentence` unless `holds`.
void require(bool holds, const std::string& sentence);

// Throws kUsage unless the value of --format is jsonl or csv.
void check_line_format(const std::string& format);

Size parse_size(const std::string& option, const std::string& text);  // "24x24"
// Reads "8", for both sides, or "8x4". Sides go from 0 to 65536.
Size parse_sides(const std::string& option, const std::string& text);
Box parse_box(const std::string& option,
              const std::string& text);  // "10,20,300,200"; x and y may be negative

// The file of a model that is given by name or by path. The error for an unknown name has the names that
// are close to it, or else those of all installed models.
std::string find_model_file(const std::string& name_or_path);
// Whether the error of `resolve_model` has names that are close to the one that was not found.
bool names_close_models(const Error& error);
// The model's name in results: the card's name, or else the file's.
std::string model_name(const ModelCard& card, const std::string& path);
// Returns the name, or "name (2)" and so on if `names` already has it. The result is added to `names`.
std::string unique_name(std::set<std::string>& names, const std::string& name);

}  // namespace winnow::cli
