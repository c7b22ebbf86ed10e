// Runs `winnow train WORD ...`: chooses the subcommand.
#include <array>
#include <string>

#include "arguments.h"
#include "commands.h"
#include "standard_output.h"

namespace winnow::cli {
namespace {

struct Word {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};

constexpr std::array<Word, 3> kWords{{
    {"cascade", "train a cascade", train_cascade_command},
    {"join", "make one soft cascade of several", train_join_command},
    {"pack", "gather positives and negatives in one file", train_pack_command},
}};

std::string word_list() {
  std::string text = "Words:\n";
  for (const Word& word : kWords) {
    std::string name = word.name;
    name.resize(10, ' ');
    text += "  " + name + word.summary + "\n";
  }
  return text;
}

std::string help() {
  return "Trains models.\n\n"
         "Usage: winnow train WORD [OPTIONS]\n\n" +
         word_list() +
         "\nOptions:\n"
         "  -h,--help   this text; `winnow train WORD --help` tells more\n\n"
         "Example:\n"
         "  winnow train cascade --positives faces/ --negatives bg.txt --out faces.winnow\n";
}

}  // namespace

int train_command(const Arguments& arguments) {
  require(!arguments.empty(), "train wants a word.\n" + word_list());
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help" || first == "help") {
    print(help());
    return kExitDone;
  }
  for (const Word& word : kWords) {
    if (first == word.name) return word.run(Arguments(arguments.begin() + 1, arguments.end()));
  }
  throw Error(ErrorCode::kUsage, "train knows no word '" + first + "'.\n" + word_list());
}

}  // namespace winnow::cli
