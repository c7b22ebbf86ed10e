// Runs `winnow train cascade`: trains a cascade from samples, and shows a table meanwhile. The opening
// comment of cli/commands.h, which declares this, holds here.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <cmath>
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
    "  winnow train cascade --positives crops/ --negatives bg.txt --out mug.winnow\n"
    "  winnow train cascade --pack faces.pack --features lbp --stages 15 --out faces.xml\n"
    "  winnow train cascade --pack faces.pack --checkpoint state --resume --out face.winnow\n"
    "\n"
    "A table of the stages goes to standard error. Pictures that cannot be used are named and left out.\n"
    "With --checkpoint, Ctrl-C saves the state. The same command with --resume then goes on; the model is\n"
    "the same as without the break.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage, 130 stopped by Ctrl-C,\n"
    "143 stopped by SIGTERM.";

struct TrainArguments {
  SharedTrainArguments shared;
  std::optional<std::string> features, boost, weak, per_round;  // no value: the library's default
  std::optional<int> depth, stages, max_weak;
  std::optional<double> min_hit, max_false;
  CascadeOptions options;
  bool soft = false;
};

void add_options(CLI::App& app, TrainArguments& args) {
  CascadeOptions& o = args.options;
  // The help prints the library's defaults.
  const CascadeOptions learned;
  const StageOptions stages;
  const SoftOptions soft;
  args.shared.add_sample_options(app);
  const OptionGroup cascade(app, "Cascade");
  cascade.value("--features", args.features, "KIND",
                fmt::format("haar, haar-more, haar-tilted or lbp ({})", feature_set_name(learned.features)));
  cascade.value(
      "--stages", args.stages, "N",
      fmt::format("most stages ({}); with --soft the number of rounds ({})", stages.stages, soft.rounds));
  cascade.value(
      "--min-hit", args.min_hit, "R",
      fmt::format("part of the positives that each stage must pass ({}); with --soft, that the whole "
                  "cascade must pass ({})",
                  stages.min_hit, soft.min_hit));
  cascade.value("--max-false", args.max_false, "R",
                fmt::format("part of the negatives that a stage may pass; not used with --soft ({})",
                            stages.max_false));
  cascade.value("--boost", args.boost, "KIND",
                fmt::format("gentle, real or discrete ({})", boost_kind_name(learned.boost)));
  cascade.value("--weak", args.weak, "KIND",
                "stump, tree, or table: a leaf for each of 16 bins of a Haar feature (stump)");
  cascade.flag("--soft", args.soft,
               "train a soft cascade: one running sum, with a limit after each weak classifier");
  cascade.value("--depth", args.depth, "N", "depth of the trees of --weak tree: 2 or 3 (2)");
  cascade.value("--max-weak", args.max_weak, "N",
                fmt::format("most weak classifiers per stage ({}); with --soft in the whole cascade ({})",
                            stages.max_weak, soft.max_weak));
  cascade.value("--stage-negatives", o.negatives, "N",
                "negatives of a stage (0: twice the positives, at least 1000)");
  cascade.value("--negative-noise", o.negative_noise, "S",
                "add noise to about half of the negatives, with a standard deviation of at most S (1 is the "
                "full grey range); use it if positives have noise (0)");
  cascade.value("--pool", o.pool, "N", "use only N random features in the whole training (0: all)");
  cascade.value("--features-per-round", args.per_round, "N|all",
                "try about N random features per weak classifier, or all (all)");
  args.shared.add_run_options(app, "feature values");
  args.shared.add_output_options(app, "file to write: .winnow, or .xml for OpenCV");
}

FeatureSet parse_features(const std::string& text) {
  for (const FeatureSet set :
       {FeatureSet::kHaar, FeatureSet::kHaarMore, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    if (text == feature_set_name(set)) return set;
  }
  throw Error(ErrorCode::kUsage, "--features wants haar, haar-more, haar-tilted or lbp, not '" + text + "'");
}

BoostKind parse_boost(const std::string& text) {
  for (const BoostKind kind : {BoostKind::kGentle, BoostKind::kReal, BoostKind::kDiscrete}) {
    if (text == boost_kind_name(kind)) return kind;
  }
  throw Error(ErrorCode::kUsage, "--boost wants gentle, real or discrete, not '" + text + "'");
}

void finish_options(TrainArguments& args) {
  CascadeOptions& o = args.options;
  if (args.features) o.features = parse_features(*args.features);
  if (args.boost) o.boost = parse_boost(*args.boost);
  args.shared.finish();
  const std::string weak = args.weak.value_or("stump");
  require(!args.max_false || (*args.max_false > 0 && *args.max_false < 1),
          "the largest false alarm rate must be between 0 and 1");
  if (args.soft) {
    SoftOptions soft;
    soft.rounds = args.stages.value_or(soft.rounds);
    soft.min_hit = args.min_hit.value_or(soft.min_hit);
    soft.max_weak = args.max_weak.value_or(soft.max_weak);
    o.form = soft;
  } else {
    StageOptions stages;
    stages.stages = args.stages.value_or(stages.stages);
    stages.min_hit = args.min_hit.value_or(stages.min_hit);
    stages.max_false = args.max_false.value_or(stages.max_false);
    stages.max_weak = args.max_weak.value_or(stages.max_weak);
    o.form = stages;
  }
  require(weak == "stump" || weak == "tree" || weak == "table",
          "--weak wants stump, tree or table, not '" + weak + "'");
  o.weak = weak == "table" ? WeakKind::kTable : WeakKind::kTree;
  const bool tree = weak == "tree";
  require(tree || !args.depth || *args.depth == 1, "--depth is of trees: --weak tree");
  require(!tree || !args.depth || *args.depth == 2 || *args.depth == 3, "--depth of trees is 2 or 3");
  o.depth = tree ? args.depth.value_or(2) : 1;
  if (args.per_round && *args.per_round != "all") {
    const double count = parse_real("--features-per-round", *args.per_round);
    require(count >= 1 && count <= 1e9 && count == std::floor(count),
            "--features-per-round wants a whole number from 1 to 1000000000, or all, not '" +
                *args.per_round + "'");
    o.features_per_round = static_cast<int>(count);
  }
}

CascadeFormat format_of(const std::string& path, const CascadeOptions& options) {
  if (!ends_in_xml(path)) return CascadeFormat::kWinnow;
  const char* unsaid = options.soft()                     ? "a soft cascade"
                       : options.weak == WeakKind::kTable ? "a cascade of tables"
                                                          : nullptr;
  require(unsaid == nullptr, std::string("OpenCV's XML cannot say ") + (unsaid != nullptr ? unsaid : "") +
                                 ": the model must end in .winnow: " + path);
  return CascadeFormat::kOpenCvXml;
}

}  // namespace

int train_cascade_command(const Arguments& arguments) {
  CLI::App app("Trains a cascade from pictures of the object and pictures without it.",
               "winnow train cascade");
  app.footer(kExamples);
  TrainArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  finish_options(args);
  SharedTrainArguments& shared = args.shared;
  shared.check_samples(app, false, nullptr);
  const CascadeFormat format = format_of(shared.out, args.options);
  const TrainFiles files = shared.checked_files();
  check_training(args.options, shared.run);
  const ModelCard card = shared.made_card();
  const Pack pack = shared.read();
  return watch_training<TrainResult>(
      shared, files, {"stage", args.options.stages()},
      [&](const TrainWatcher& watcher) { return train_cascade(pack, args.options, shared.run, watcher); },
      [&](TrainResult& result) {
        result.cascade = with_card(result.cascade, card);
        files.save([&](const std::string& path) { result.cascade.save(path, format); });
        const CascadeModel& written = result.cascade.model();
        // The number of stages of a soft cascade is left out: each weak classifier is a stage, but the
        // printed table counted rounds.
        print(printable(shared.out) + ": " +
              (args.soft ? "" : counted(static_cast<long long>(written.stages.size()), "stage") + ", ") +
              counted(static_cast<long long>(written.weak_count()), "weak classifier") + "\n");
      },
      [&](const TrainResult& result) { return training_page(pack, args.options, shared.run, result); });
}

}  // namespace winnow::cli
