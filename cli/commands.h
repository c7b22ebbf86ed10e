// Gives the commands of `winnow`, one file each.
//
// In:     the arguments of a command, without the command's name.
// Out:    the exit code. 0: done. 1: an input could not be read, or an output could not be written. 2: bad
//         usage. 141: standard output was closed. 130: stopped by Ctrl-C, 143: by SIGTERM
//         (`stop_exit_code`). A command may also throw `winnow::Error` or `OutputClosed`. Main prints an
//         `Error` as a sentence. Main exits with 2 for the codes kUsage and kBackend, and for kLimit if the
//         error names no file. For other errors Main exits with 1, and for `OutputClosed` with 141.
// Memory: arguments are read only during the call.
// Thread: the main thread, one command per process.
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
int faces_command(const Arguments& arguments);
int track_command(const Arguments& arguments);
int eval_command(const Arguments& arguments);
int bench_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int train_command(const Arguments& arguments);
int models_command(const Arguments& arguments);
int backends_command(const Arguments& arguments);

// Subcommands of `winnow eval`, which `eval_command` calls. A third one, `detector`, is in eval.cpp.
int eval_landmarks_command(const Arguments& arguments);
int eval_tracking_command(const Arguments& arguments);

// The subcommands of `winnow train`.
int train_pack_command(const Arguments& arguments);
int train_cascade_command(const Arguments& arguments);
int train_hog_cascade_command(const Arguments& arguments);
int train_hog_svm_command(const Arguments& arguments);
int train_landmarks_command(const Arguments& arguments);
int train_join_command(const Arguments& arguments);

}  // namespace winnow::cli
