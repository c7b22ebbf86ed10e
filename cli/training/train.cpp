// Runs `winnow train WORD ...`: chooses the subcommand. The opening comment of cli/commands.h, which declares
// this, holds here.
#include <array>
#include <string>
#include <vector>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/suggestion.h"

namespace winnow::cli {
namespace {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};

constexpr std::array<Command, 5> kCommands{{
    {"cascade", "train a cascade", train_cascade_command},
    {"hog-cascade", "train a cascade of HOG blocks, such as people", train_hog_cascade_command},
    {"hog-svm", "train a linear SVM over HOG, as OpenCV reads it", train_hog_svm_command},
    {"join", "make one soft cascade of several", train_join_command},
    {"pack", "gather positives and negatives in one file", train_pack_command},
}};

std::string command_list() {
  std::string text = "Commands:\n";
  for (const Command& command : kCommands) {
    std::string name = command.name;
    name.resize(13, ' ');
    text += "  " + name + command.summary + "\n";
  }
  return text;
}

std::string help() {
  return "Trains models.\n\n"
         "Usage: winnow train COMMAND [OPTIONS]\n\n" +
         command_list() +
         "\nOptions:\n"
         "  -h,--help   this text; `winnow train COMMAND --help` tells more\n\n"
         "Example:\n"
         "  winnow train cascade --positives faces/ --negatives bg.txt --out faces.winnow\n";
}

}  // namespace

int train_command(const Arguments& arguments) {
  require(!arguments.empty(), "train needs a command.\n" + command_list());
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help" || first == "help") {
    print(help());
    return kExitDone;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (first == command.name) return command.run(rest);
    names.emplace_back(command.name);
  }
  const std::string closest = closest_name(first, names);
  require(closest.empty(), "train has no command '" + first + "'" + did_you_mean("train " + closest, rest));
  throw Error(ErrorCode::kUsage, "train has no command '" + first + "'.\n" + command_list());
}

}  // namespace winnow::cli
