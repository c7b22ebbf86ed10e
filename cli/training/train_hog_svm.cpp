// Runs `winnow train hog-svm`: trains a linear SVM over HOG, and shows a table meanwhile. The opening comment
// of cli/commands.h, which declares this, holds here.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/train_hog.h>

#include <string>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/text.h"
#include "training/train_arguments.h"
#include "training/train_watch.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow train hog-svm --positives people/ --negatives streets/ --window 80x144 --out people.winnow\n"
    "  winnow train hog-svm --pack people.pack --model-window 48x96 --out people.xml\n"
    "\n"
    "--window is the size of the samples. The model's window is --model-window, the middle of a sample: "
    "leave\n"
    "a border of 8 pixels, so that gradients at the window's edge are those of the picture. Samples are "
    "grey,\n"
    "unless --color keeps their colours.\n"
    "A table of the rounds goes to standard error; 'weak' counts passes over the samples. With "
    "--checkpoint,\n"
    "Ctrl-C keeps the rounds that are done, and the same command with --resume goes on.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage, 130 stopped by Ctrl-C,\n"
    "143 stopped by SIGTERM.";

struct SvmArguments {
  SharedTrainArguments shared;
  HogSvmOptions options;
  std::optional<std::string> window, block, stride, cell;
  bool no_gamma = false;
  std::string colors = hog_colors_name(HogSvmOptions().colors);
};

void add_options(CLI::App& app, SvmArguments& args) {
  HogSvmOptions& o = args.options;
  const HogSvmOptions usual;
  const HogShape& shape = usual.shape;
  args.shared.add_sample_options(app);
  const OptionGroup svm(app, "SVM");
  const auto size = [&](const char* name, std::optional<std::string>& value, const std::string& help) {
    svm.value(name, value, "WxH", help);
  };
  const auto words = [](Size s) { return fmt::format("{}x{}", s.width, s.height); };
  size("--model-window", args.window, fmt::format("the model's window ({})", words(shape.window)));
  size("--block", args.block, fmt::format("size of a block ({})", words(shape.block)));
  size("--block-stride", args.stride, fmt::format("from block to block ({})", words(shape.block_stride)));
  size("--cell", args.cell, fmt::format("size of a cell ({})", words(shape.cell)));
  svm.value("--bins", o.shape.bins, "N", fmt::format("orientations ({})", shape.bins));
  svm.flag("--directed", o.shape.directed, "opposite gradients differ");
  svm.flag("--no-gamma", args.no_gamma, "take pixels, not their square roots");
  svm.value("--rounds", o.rounds, "N",
            fmt::format("rounds; each but the first mines false alarms and learns anew ({})", usual.rounds));
  svm.value("--round-negatives", o.negatives, "N",
            "negatives of each round (0: twice the positives, at least 1000)");
  svm.value("--cost", o.cost, "C",
            fmt::format("of an error, beside the length of the weights ({})", usual.cost));
  svm.value("--hard", o.hard, "S",
            fmt::format("least score of a false alarm that is mined ({})", usual.hard));
  svm.flag("--squared,!--plain", o.squared, "errors count squared (yes); --plain: as they are");
  svm.value(
      "--false-alarms", o.false_alarms, "F",
      fmt::format("false alarms per window of the pictures without the object that a score of 0 allows; "
                  "the bias follows; 0 keeps the bias that was learned ({})",
                  usual.false_alarms));
  svm.flag("--symmetric", o.symmetric,
           "weights are mirror images of themselves: for objects that look alike mirrored");
  svm.value("--colors", args.colors, "use|leave|both",
            "of a pack with colours: use or leave them, or learn each sample in colour and in grey (use)");
  args.shared.add_run_options(app, "samples");
  args.shared.add_output_options(app, "file to write: .winnow, or .xml for OpenCV");
}

void finish_options(SvmArguments& args) {
  HogShape& shape = args.options.shape;
  if (args.window) shape.window = parse_size("--model-window", *args.window);
  if (args.block) shape.block = parse_size("--block", *args.block);
  if (args.stride) shape.block_stride = parse_size("--block-stride", *args.stride);
  if (args.cell) shape.cell = parse_size("--cell", *args.cell);
  shape.gamma = !args.no_gamma;
  args.options.colors = parse_hog_colors(args.colors);
}

}  // namespace

int train_hog_svm_command(const Arguments& arguments) {
  CLI::App app("Trains a linear SVM over histograms of oriented gradients.", "winnow train hog-svm");
  app.footer(kExamples);
  SvmArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  SharedTrainArguments& shared = args.shared;
  shared.finish();
  finish_options(args);
  shared.check_samples(app, true, "80x144");
  const HogFormat format = ends_in_xml(shared.out) ? HogFormat::kOpenCvXml : HogFormat::kWinnow;
  const TrainFiles files = shared.checked_files();
  check_training(args.options, shared.run);
  const ModelCard card = shared.made_card();
  const Pack pack = shared.read();
  return watch_training<HogSvmResult>(
      shared, files, {"round", args.options.rounds},
      [&](const TrainWatcher& watcher) { return train_hog_svm(pack, args.options, shared.run, watcher); },
      [&](HogSvmResult& result) {
        result.svm = with_card(result.svm, card);
        files.save([&](const std::string& path) { result.svm.save(path, format); });
        print(printable(shared.out) + ": " +
              counted(static_cast<long long>(result.svm.model().weights.size()), "weight") + "\n");
      },
      [&](const HogSvmResult& result) { return training_page(pack, args.options, shared.run, result); });
}

}  // namespace winnow::cli
