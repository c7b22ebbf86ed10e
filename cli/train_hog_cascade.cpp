// Runs `winnow train hog-cascade`: trains a cascade of HOG blocks, and shows a table meanwhile.
#include <fmt/format.h>
#include <winnow/train_hog.h>

#include <filesystem>
#include <optional>
#include <string>

#include "arguments.h"
#include "commands.h"
#include "standard_output.h"
#include "text.h"
#include "train_arguments.h"
#include "train_watch.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow train hog-cascade --positives people/ --negatives streets/ --window 64x128 --out "
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
};

void add_options(CLI::App& app, BlockArguments& args) {
  HogCascadeOptions& o = args.options;
  args.shared.add_sample_options(app);
  const std::string group = "Cascade";
  app.add_option("--model-window", args.window, "the model's window (the samples' size, less a border of 1)")
      ->type_name("WxH")
      ->group(group);
  app.add_option("--grid", o.grid,
                 fmt::format("pixels between corners of blocks: 2, 4 or 8 ({})", HogCascadeOptions().grid))
      ->type_name("N")
      ->group(group);
  app.add_option("--stride", o.step,
                 fmt::format("pixels between windows, a multiple of the grid ({})", HogCascadeOptions().step))
      ->type_name("N")
      ->group(group);
  app.add_option("--rounds", o.rounds,
                 fmt::format("rounds; each mines false alarms and learns anew, four times as many stages as "
                             "the round before ({})",
                             HogCascadeOptions().rounds))
      ->type_name("N")
      ->group(group);
  app.add_option("--max-stages", o.max_stages,
                 fmt::format("stages of the last round, a block each ({})", HogCascadeOptions().max_stages))
      ->type_name("N")
      ->group(group);
  app.add_option("--min-hit", o.min_hit,
                 fmt::format("part of the positives that the whole cascade must pass ({})",
                             HogCascadeOptions().min_hit))
      ->type_name("R")
      ->group(group);
  app.add_option("--round-negatives", o.negatives,
                 "negatives mined for each round (0: as many as positives, at least 1000)")
      ->type_name("N")
      ->group(group);
  app.add_option("--blocks-per-round", o.blocks_per_round,
                 "try about N random blocks for each stage (0: all)")
      ->type_name("N")
      ->group(group);
  args.shared.add_run_options(app, "samples");
  args.shared.add_output_options(app, "file to write: .winnow");
}

Size model_window(const BlockArguments& args, const Pack& pack) {
  if (args.window) return parse_size("--model-window", *args.window);
  const int grid = args.options.grid;
  // A border of a pixel around whole steps of the grid.
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
  shared.check_samples(app);
  require(std::filesystem::path(shared.out).extension() == ".winnow",
          "the model must end in .winnow: " + shared.out);
  const TrainFiles files = shared.files();
  files.check(shared.packs, shared.force);
  const ModelCard card = shared.made_card();
  const Pack pack = shared.read();
  args.options.window = model_window(args, pack);
  check_training(args.options, shared.run);
  return watch_training<HogCascadeResult>(
      shared, files, {"round", args.options.rounds},
      [&](const TrainWatcher& watcher) { return train_hog_cascade(pack, args.options, shared.run, watcher); },
      [&](HogCascadeResult& result) {
        HogCascadeModel model = result.cascade.model();
        model.card = card;
        result.cascade = HogCascade(std::move(model));
        files.save([&](const std::string& path) { result.cascade.save(path); });
        print(printable(shared.out) + ": " +
              counted(static_cast<long long>(result.cascade.model().stages.size()), "stage") + "\n");
      },
      [&](const HogCascadeResult& result) { return training_page(pack, args.options, shared.run, result); });
}

}  // namespace winnow::cli
