// Runs `winnow COMMAND ...`: chooses the command, and reports the command's errors by a sentence and an exit
// code. The opening comment of cli/commands.h lists the codes.
#include <winnow/version.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "command_table.h"
#include "commands.h"
#include "terminal/exit_code.h"
#include "terminal/standard_output.h"
#include "terminal/suggestion.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

constexpr std::array<Command, 10> kCommands{{
    {"detect", "find objects in pictures, folders, videos, cameras and streams", detect_command},
    {"faces", "mark the points of faces in the same inputs", faces_command},
    {"track", "follow any objects through a video, once you mark them", track_command},
    {"eval", "compare what models find with what people marked: curves, figures, a page", eval_command},
    {"bench", "measure how fast a model is on pictures", bench_command},
    {"inspect", "show what a model file holds", inspect_command},
    {"convert", "write a model in another format", convert_command},
    {"train", "train detectors and landmarks, and gather what training reads", train_command},
    {"models", "list the models that are found by name", models_command},
    {"backends", "list what this build and this machine can do", backends_command},
}};

std::string commands() { return command_list(kCommands, 10); }

// Says that no command has this name, and names the command that the user probably meant, or else all
// commands.
void say_unknown(const std::string& name, const Arguments& arguments) {
  const std::string closest = closest_command(kCommands, name);
  const bool in_place = name == arguments.front();  // false if `name` is an argument of `help`
  if (!closest.empty() && in_place) {
    say("there is no command '" + name + "'" +
        did_you_mean(closest, Arguments(arguments.begin() + 1, arguments.end())));
  } else if (in_place && is_input_or_option(name)) {
    say("the first word is a command, not '" + name + "'" + did_you_mean("detect", arguments));
  } else {
    say("there is no command '" + name + "'.", commands());
  }
}

std::string help() {
  return "Winnow finds objects in pictures with rejection cascades and HOG detectors, and marks points of "
         "faces.\n\n"
         "Usage: winnow COMMAND [OPTIONS]\n\n" +
         commands() +
         "\nOptions:\n"
         "  -h,--help   this text; `winnow COMMAND --help` tells more\n"
         "  --version   the version of the command and of its library (also: winnow version)\n\n"
         "Example:\n"
         "  winnow detect -m haarcascade_frontalface_alt --out marked group.jpg\n";
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    say("no command was given.", commands());
    return kExitUsage;
  }
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help" || (first == "help" && arguments.size() == 1)) {
    print(help());
    return kExitDone;
  }
  if (first == "--version" || (first == "version" && arguments.size() == 1)) {
    print(std::string("winnow ") + WINNOW_VERSION + " (library " + version() + ")\n");
    return kExitDone;
  }
  const bool wants_help = first == "help";
  const std::string& name = wants_help ? arguments[1] : first;
  if (const Command* command = find_command(kCommands, name)) {
    Arguments rest(arguments.begin() + (wants_help ? 2 : 1), arguments.end());
    if (wants_help) rest.push_back("--help");
    return command->run(rest);
  }
  say_unknown(name, arguments);
  return kExitUsage;
}

}  // namespace
}  // namespace winnow::cli

int main(int argc, char** argv) {
  winnow::cli::guard_standard_streams();
  const int code = winnow::cli::exit_code_of([&] {
    return winnow::cli::run({argv + (argc > 0 ? 1 : 0), argv + argc});
  });
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer)
  return code;  // so that sanitizers report what they found
#else
  // A device may still be starting, on a thread that nobody waits for. Nothing may be destroyed under it.
  std::fflush(nullptr);
  std::_Exit(code);
#endif
}
