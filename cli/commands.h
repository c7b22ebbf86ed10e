// The commands of `winnow`, one file each. A command gets its arguments (without its own name), does its work
// and returns the exit code: 0 done; 1 some input could not be read or something could not be written; 2 bad
// usage; 130 stopped by Ctrl-C; 141 nobody reads standard output any more. A command may also throw:
// `winnow::Error` (kUsage and kBackend become 2, the rest 1) or `OutputClosed`; main turns both into an exit
// code and one sentence.
#pragma once

#include <string>
#include <vector>

namespace winnow::cli {

using Arguments = std::vector<std::string>;

constexpr int kExitDone = 0;
constexpr int kExitProblem = 1;
constexpr int kExitUsage = 2;
constexpr int kExitOutputClosed = 141;

int detect_command(const Arguments& arguments);
int eval_command(const Arguments& arguments);
int bench_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int train_command(const Arguments& arguments);
int models_command(const Arguments& arguments);
int backends_command(const Arguments& arguments);

// The words behind `winnow train`.
int train_pack_command(const Arguments& arguments);
int train_cascade_command(const Arguments& arguments);
int train_join_command(const Arguments& arguments);

}  // namespace winnow::cli
