// Runs `winnow train hog-cascade`: trains a cascade of HOG blocks, and shows a table meanwhile. The opening
// comment of cli/commands.h, which declares this, holds here.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/train_hog.h>

#include <filesystem>
#include <optional>
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
    "  winnow train hog-cascade --positives people/ --negatives streets/ --window 66x130 --out "
    "people.winnow\n"
    "  winnow train hog-cascade --pack people.pack --checkpoint state --resume --out people.winnow\n"
    "\n"
    "--window is the size of the samples. The model's window is --model-window, the middle of a sample: "
    "leave\n"
    "a border of a pixel or more, so that gradients at the window's edge are those of the picture.\n"
    "A table of the rounds goes to standard error. With --checkpoint, Ctrl-C saves the state. The same "
    "command\n"
    "with --resume then goes on; the model is the same as without the break.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage, 130 stopped by Ctrl-C,\n"
    "143 stopped by SIGTERM.";

struct BlockArguments {
  SharedTrainArguments shared;
  HogCascadeOptions options;
  std::optional<std::string> window;
  // Options for the chosen form of cascade. An option without a value takes the library's default.
  std::optional<int> rounds, max_stages, stages, max_blocks;
  std::optional<double> min_hit, max_false;
};

void add_options(CLI::App& app, BlockArguments& args) {
  HogCascadeOptions& o = args.options;
  args.shared.add_sample_options(app);
  const OptionGroup cascade(app, "Cascade");
  cascade.value(
      "--model-window", args.window, "WxH",
      "the model's window (the samples' size, less a border of 1 if that is a multiple of the grid)");
  cascade.value("--grid", o.grid, "N",
                fmt::format("pixels between corners of blocks: 2, 4 or 8 ({})", HogCascadeOptions().grid));
  cascade.value("--stride", o.step, "N",
                fmt::format("pixels between windows, a multiple of the grid ({})", HogCascadeOptions().step));
  const HogCascadeOptions usual;
  const HogStageOptions usual_stages;
  cascade.value("--rounds", args.rounds, "N",
                fmt::format("rounds; each mines false alarms and learns anew, four times as many stages as "
                            "the round before ({})",
                            usual.rounds));
  cascade.value("--max-stages", args.max_stages, "N",
                fmt::format("blocks of the last round, each with a limit ({})", usual.max_stages));
  cascade.value(
      "--min-hit", args.min_hit, "R",
      fmt::format("part of the positives that the whole cascade must pass ({}); with --stages, that "
                  "each stage must pass ({})",
                  usual.min_hit, usual_stages.min_hit));
  cascade.value(
      "--stages", args.stages, "N",
      fmt::format("train at most N stages of several blocks, with a limit at the end of each, as the "
                  "paper does ({})",
                  usual_stages.stages));
  cascade.value(
      "--max-false", args.max_false, "R",
      fmt::format("with --stages, part of its negatives that a stage may pass ({})", usual_stages.max_false));
  cascade.value("--max-blocks", args.max_blocks, "N",
                fmt::format("with --stages, most blocks of a stage ({})", usual_stages.max_blocks));
  cascade.value("--round-negatives", o.negatives, "N",
                "negatives mined for each round; with --stages, of each stage (0: as many as positives, at "
                "least 1000)");
  cascade.value("--blocks-per-round", o.blocks_per_round, "N",
                "try about N random blocks for each one (0: all)");
  args.shared.add_run_options(app, "samples");
  args.shared.add_output_options(app, "file to write: .winnow");
}

void finish_options(BlockArguments& args) {
  HogCascadeOptions& o = args.options;
  if (!args.stages) {
    require(!args.max_false, "--max-false needs --stages N");
    require(!args.max_blocks, "--max-blocks needs --stages N");
    o.rounds = args.rounds.value_or(o.rounds);
    o.max_stages = args.max_stages.value_or(o.max_stages);
    o.min_hit = args.min_hit.value_or(o.min_hit);
    return;
  }
  require(!args.rounds, "with --stages, each stage is a round: leave out --rounds");
  require(!args.max_stages, "with --stages, --max-blocks bounds a stage: leave out --max-stages");
  HogStageOptions& stages = o.stages.emplace();
  stages.stages = *args.stages;
  stages.min_hit = args.min_hit.value_or(stages.min_hit);
  stages.max_false = args.max_false.value_or(stages.max_false);
  stages.max_blocks = args.max_blocks.value_or(stages.max_blocks);
}

Size model_window(const BlockArguments& args, const Pack& pack) {
  if (args.window) return parse_size("--model-window", *args.window);
  const int grid = args.options.grid;
  // If the pack's window has a border of one pixel around whole steps of the grid, the model's window is the
  // part inside the border.
  const Size inner{pack.window.width - 2, pack.window.height - 2};
  if (grid > 0 && inner.width % grid == 0 && inner.height % grid == 0) return inner;
  return pack.window;
}

}  // namespace

int train_hog_cascade_command(const Arguments& arguments) {
  CLI::App app("Trains a cascade of HOG blocks from pictures of the object and pictures without it.",
               "winnow train hog-cascade");
  app.footer(kExamples);
  BlockArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  SharedTrainArguments& shared = args.shared;
  shared.finish();
  finish_options(args);
  shared.check_samples(app, false, "66x130");
  require(std::filesystem::path(shared.out).extension() == ".winnow",
          "the model must end in .winnow: " + shared.out);
  const TrainFiles files = shared.checked_files();
  const ModelCard card = shared.made_card();
  const Pack pack = shared.read();
  args.options.window = model_window(args, pack);
  check_training(args.options, shared.run);
  return watch_training<HogCascadeResult>(
      shared, files, {args.options.stages ? "stage" : "round", args.options.most_rounds()},
      [&](const TrainWatcher& watcher) { return train_hog_cascade(pack, args.options, shared.run, watcher); },
      [&](HogCascadeResult& result) {
        result.cascade = with_card(result.cascade, card);
        files.save([&](const std::string& path) { result.cascade.save(path); });
        print(printable(shared.out) + ": " +
              (args.options.stages ? counted(static_cast<long long>(result.rounds.size()), "stage") + ", "
                                   : "") +
              counted(static_cast<long long>(result.cascade.model().stages.size()), "block") + "\n");
      },
      [&](const HogCascadeResult& result) { return training_page(pack, args.options, shared.run, result); });
}

}  // namespace winnow::cli
