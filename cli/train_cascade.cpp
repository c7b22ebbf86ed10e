// `winnow train cascade`: samples in, a cascade out, with a table while it goes.
#include <winnow/error.h>
#include <winnow/train.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "arguments.h"
#include "commands.h"
#include "pack_words.h"
#include "standard_output.h"
#include "stop.h"
#include "terminal.h"
#include "text.h"
#include "train_table.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow train cascade --positives crops/ --negatives bg.txt --out mug.winnow\n"
    "  winnow train cascade --pack faces.pack --features lbp --stages 15 --out faces.xml\n"
    "  winnow train cascade --pack faces.pack --checkpoint state --resume --out face.winnow\n"
    "\n"
    "A table of the stages goes to standard error. Ctrl-C saves the state if there is a --checkpoint; the "
    "same "
    "command with --resume goes on, and ends with the same file as without the break.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage, 130 stopped by Ctrl-C.";

struct Words {
  PackWords pack;
  std::vector<std::string> packs;
  std::string out, log, report, features = "haar", boost = "gentle", weak = "stump", backend = "auto",
                                memory = "2G", per_round = "all", name;
  bool no_report = false, force = false;
  int depth = 0;
  TrainOptions options;
};

void add_options(CLI::App& app, Words& words) {
  TrainOptions& o = words.options;
  add_pack_words(app, words.pack, "Samples");
  app.add_option("--pack", words.packs,
                 "samples that `winnow train pack` gathered, instead; several become one")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group("Samples");
  const std::string cascade = "Cascade";
  app.add_option("--features", words.features, "haar, haar-tilted or lbp (haar)")
      ->type_name("KIND")
      ->group(cascade);
  app.add_option("--stages", o.stages, "at most so many (20)")->type_name("N")->group(cascade);
  app.add_option("--min-hit", o.min_hit, "each stage passes at least this part of the positives (0.995)")
      ->type_name("R")
      ->group(cascade);
  app.add_option("--max-false", o.max_false, "and at most this part of the negatives (0.5)")
      ->type_name("R")
      ->group(cascade);
  app.add_option("--boost", words.boost, "gentle, real or discrete (gentle)")
      ->type_name("KIND")
      ->group(cascade);
  app.add_option("--weak", words.weak, "stump or tree (stump)")->type_name("KIND")->group(cascade);
  app.add_option("--depth", words.depth, "of trees: 2 or 3 (2)")->type_name("N")->group(cascade);
  app.add_option("--max-weak", o.max_weak, "weak classifiers of a stage, at most (200)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--stage-negatives", o.negatives,
                 "negatives of a stage (twice the positives, at least 1000)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--pool", o.pool, "so many features, drawn at random, are tried at all (all)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--features-per-round", words.per_round,
                 "about so many of them are tried each round, or all (all)")
      ->type_name("N|all")
      ->group(cascade);
  const std::string run = "Run";
  app.add_option("--threads", o.threads, "how many (all)")->type_name("N")->group(run);
  app.add_option("--backend", words.backend, "auto, cpu, reference or cuda (auto)")
      ->type_name("NAME")
      ->group(run);
  app.add_option("--memory", words.memory, "for what is computed once and kept (2G)")
      ->type_name("SIZE")
      ->group(run);
  app.add_option("--checkpoint", o.checkpoint, "keep the state in this folder")->type_name("DIR")->group(run);
  app.add_flag("--resume", o.resume, "go on from the state in --checkpoint, if there is one")->group(run);
  const std::string output = "Output";
  app.add_option("--out", words.out, "the model: .winnow, or .xml for OpenCV")
      ->required()
      ->type_name("FILE")
      ->group(output);
  app.add_option("--name", words.name, "what the model is called (the file's name)")
      ->type_name("NAME")
      ->group(output);
  app.add_option("--log", words.log, "also a line of JSON for each stage")->type_name("FILE")->group(output);
  app.add_option("--report", words.report, "the page about the training (beside the model: NAME-report.html)")
      ->type_name("FILE")
      ->group(output);
  app.add_flag("--no-report", words.no_report, "no page")->group(output);
  app.add_flag("--force", words.force, "write over a model that is there")->group(output);
}

FeatureSet parse_features(const std::string& text) {
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    if (text == feature_set_name(set)) return set;
  }
  throw Error(ErrorCode::kUsage, "--features wants haar, haar-tilted or lbp, not '" + text + "'");
}

BoostKind parse_boost(const std::string& text) {
  for (const BoostKind kind : {BoostKind::kGentle, BoostKind::kReal, BoostKind::kDiscrete}) {
    if (text == boost_kind_name(kind)) return kind;
  }
  throw Error(ErrorCode::kUsage, "--boost wants gentle, real or discrete, not '" + text + "'");
}

void finish_options(Words& words) {
  TrainOptions& o = words.options;
  o.features = parse_features(words.features);
  o.boost = parse_boost(words.boost);
  o.backend = parse_backend(words.backend);
  o.memory = parse_bytes("--memory", words.memory);
  o.seed = words.pack.options.seed;
  require(words.weak == "stump" || words.weak == "tree",
          "--weak wants stump or tree, not '" + words.weak + "'");
  require(words.weak == "tree" || words.depth <= 1, "--depth is of trees: --weak tree");
  o.depth = words.weak == "stump" ? 1 : words.depth == 0 ? 2 : words.depth;
  if (words.per_round != "all") {
    const double count = parse_real("--features-per-round", words.per_round);
    require(count >= 1 && count <= 1e9 && count == std::floor(count),
            "--features-per-round wants a number above 0, or all");
    o.features_per_round = static_cast<int>(count);
  }
}

CascadeFormat format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  require(ending == ".winnow" || ending == ".xml", "the model must end in .winnow or .xml: " + path);
  return ending == ".xml" ? CascadeFormat::kOpenCvXml : CascadeFormat::kWinnow;
}

std::string report_path(const Words& words) {
  if (!words.report.empty()) return words.report;
  const std::filesystem::path out(words.out);
  return (out.parent_path() / (out.stem().string() + "-report.html")).string();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw Error(ErrorCode::kIo, "this file cannot be written", path);
}

Pack read_samples(Words& words) {
  if (words.packs.empty()) {
    require(!words.pack.positives.empty(), "positives are needed: --positives P, or --pack FILE");
    require(!words.pack.negatives.empty(), "negatives are needed: --negatives N");
    return make_pack_of(words.pack);
  }
  require(words.pack.positives.empty() && words.pack.negatives.empty(),
          "samples come from --pack or from --positives and --negatives, not from both");
  return read_pack(words.packs);
}

}  // namespace

int train_cascade_command(const Arguments& arguments) {
  CLI::App app("Trains a cascade from pictures of the object and pictures without it.",
               "winnow train cascade");
  app.footer(kExamples);
  Words words;
  add_options(app, words);
  if (!parse_arguments(app, arguments)) return kExitDone;
  finish_options(words);
  const CascadeFormat format = format_of(words.out);
  std::error_code error;
  require(
      words.force || words.options.resume ||
          std::filesystem::symlink_status(words.out, error).type() == std::filesystem::file_type::not_found,
      words.out + " is there already (--force writes over it)");
  const Pack pack = read_samples(words);
  watch_for_stop();
  TrainTable table(words.options, words.log);
  TrainResult result = train_cascade(pack, words.options, [&](const TrainStep& step) {
    table.step(step);
    return !stop_requested();
  });
  table.finish(result);
  if (result.stopped && !words.options.checkpoint.empty()) {
    say("stopped; the same command with --resume goes on");
    return stop_exit_code();
  }
  CascadeModel model = result.cascade.model();
  model.card.name = words.name.empty() ? std::filesystem::path(words.out).stem().string() : words.name;
  model.card.source = "trained by winnow";
  result.cascade = Cascade(std::move(model));
  result.cascade.save(words.out, format);
  print(printable(words.out) + ": " +
        counted(static_cast<long long>(result.cascade.model().stages.size()), "stage") + ", " +
        counted(static_cast<long long>(result.cascade.model().trees.size()), "weak classifier") + "\n");
  if (!words.no_report && !result.stopped) {
    write_text(report_path(words), training_page(pack, words.options, result));
    print(printable(report_path(words)) + "\n");
  }
  return result.stopped ? stop_exit_code() : kExitDone;
}

}  // namespace winnow::cli
