#include "command_table.h"

#include <vector>

#include "terminal/suggestion.h"

namespace winnow::cli {

std::string command_list(CommandTable table, std::size_t width) {
  std::string text = "Commands:\n";
  for (const Command& command : table) {
    std::string name = command.name;
    name.resize(width, ' ');
    text += "  " + name + command.summary + "\n";
  }
  return text;
}

const Command* find_command(CommandTable table, const std::string& name) {
  for (const Command& command : table)
    if (name == command.name) return &command;
  return nullptr;
}

std::string closest_command(CommandTable table, const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : table) names.emplace_back(command.name);
  return closest_name(name, names);
}

}  // namespace winnow::cli
