// Lists the commands of one level: those of `winnow`, or those of `winnow train`.
//
// In:     a table of commands, which outlives the commands that are found in it.
// Out:    text for --help, and the command of a name.
// Thread: the main thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "commands.h"

namespace winnow::cli {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};
using CommandTable = std::span<const Command>;

// A line of help for each command. Names take `width` columns.
std::string command_list(CommandTable table, std::size_t width);
// Returns null if no command has the name.
const Command* find_command(CommandTable table, const std::string& name);
// Returns the name of the command that the user probably meant; "" if no name is near.
std::string closest_command(CommandTable table, const std::string& name);

}  // namespace winnow::cli
