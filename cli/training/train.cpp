// Runs `winnow train WORD ...`: chooses the subcommand. The opening comment of cli/commands.h, which declares
// this, holds here.
#include <array>
#include <string>

#include "command_table.h"
#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/exit_code.h"
#include "terminal/standard_output.h"
#include "terminal/suggestion.h"

namespace winnow::cli {
namespace {

constexpr std::array<Command, 6> kCommands{{
    {"cascade", "train a cascade", train_cascade_command},
    {"hog-cascade", "train a cascade of HOG blocks, such as people", train_hog_cascade_command},
    {"hog-svm", "train a linear SVM over HOG, as OpenCV reads it", train_hog_svm_command},
    {"landmarks", "train points of faces, or of other objects", train_landmarks_command},
    {"join", "make one soft cascade of several", train_join_command},
    {"pack", "gather positives and negatives in one file", train_pack_command},
}};

// A name takes 13 columns: the longest name and two blanks.
std::string commands() { return command_list(kCommands, 13); }

std::string help() {
  return "Trains models.\n\n"
         "Usage: winnow train COMMAND [OPTIONS]\n\n" +
         commands() +
         "\nOptions:\n"
         "  -h,--help   this text; `winnow train COMMAND --help` tells more\n\n"
         "Example:\n"
         "  winnow train cascade --positives faces/ --negatives bg.txt --out faces.winnow\n";
}

}  // namespace

int train_command(const Arguments& arguments) {
  if (arguments.empty()) throw ListedError("train needs a command.", commands());
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help" || first == "help") {
    print(help());
    return kExitDone;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (const Command* command = find_command(kCommands, first)) return command->run(rest);
  const std::string closest = closest_command(kCommands, first);
  require(closest.empty(), "train has no command '" + first + "'" + did_you_mean("train " + closest, rest));
  throw ListedError("train has no command '" + first + "'.", commands());
}

}  // namespace winnow::cli
