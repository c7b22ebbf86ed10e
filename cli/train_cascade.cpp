// `winnow train cascade`: samples in, a cascade out, with a table while it goes.
#include <winnow/error.h>
#include <winnow/train.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "arguments.h"
#include "card_words.h"
#include "commands.h"
#include "outputs.h"
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
    "Exit code: 0 done (pictures that cannot be used are named and left out), 1 a file could not be read or "
    "written, 2 bad usage, 130 stopped by Ctrl-C, 143 by SIGTERM.";

constexpr const char* kSamples = "Samples";

struct Words {
  PackWords pack;
  std::vector<std::string> packs;
  std::string out, log, report, features = "haar", boost = "gentle", weak = "stump", backend = "auto",
                                memory = "2G", per_round = "all";
  CardWords card;
  bool no_report = false, force = false;
  std::optional<int> depth, stages, max_weak;
  std::optional<double> min_hit;
  TrainOptions options;
};

void add_options(CLI::App& app, Words& words) {
  TrainOptions& o = words.options;
  add_pack_words(app, words.pack, kSamples);
  app.add_option("--pack", words.packs,
                 "samples that `winnow train pack` gathered, instead; several become one")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kSamples);
  const std::string cascade = "Cascade";
  app.add_option("--features", words.features, "haar, haar-more, haar-tilted or lbp (haar)")
      ->type_name("KIND")
      ->group(cascade);
  app.add_option("--stages", words.stages, "at most so many; rounds of a soft cascade (20; soft: 6)")
      ->type_name("N")
      ->group(cascade);
  app.add_option(
         "--min-hit", words.min_hit,
         "each stage passes at least this part of the positives (0.995); a soft cascade in all (0.98)")
      ->type_name("R")
      ->group(cascade);
  app.add_option("--max-false", o.max_false, "and at most this part of the negatives (0.5)")
      ->type_name("R")
      ->group(cascade);
  app.add_option("--boost", words.boost, "gentle, real or discrete (gentle)")
      ->type_name("KIND")
      ->group(cascade);
  app.add_option("--weak", words.weak,
                 "stump, tree, or table: a leaf for each of 16 bins of a Haar feature (stump)")
      ->type_name("KIND")
      ->group(cascade);
  app.add_flag("--soft", o.soft, "one sum that runs through all weak classifiers, and a limit after each")
      ->group(cascade);
  app.add_option("--depth", words.depth, "of trees: 2 or 3 (2)")->type_name("N")->group(cascade);
  app.add_option("--max-weak", words.max_weak,
                 "weak classifiers of a stage, at most (200); of all of a soft cascade (400)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--stage-negatives", o.negatives,
                 "negatives of a stage (0: twice the positives, at least 1000)")
      ->type_name("N")
      ->group(cascade);
  app.add_option(
         "--negative-noise", o.negative_noise,
         "noise on every other negative, of this deviation at most, as a part of 255: for positives that "
         "have some (0)")
      ->type_name("S")
      ->group(cascade);
  app.add_option("--pool", o.pool, "so many features, drawn at random, are tried at all (0: all)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--features-per-round", words.per_round,
                 "about so many of them are tried each round, or all (all)")
      ->type_name("N|all")
      ->group(cascade);
  const std::string run = "Run";
  app.add_option("--threads", o.threads, "how many (0: all of the machine's)")->type_name("N")->group(run);
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
  add_card_words(app, words.card, "", output);
  app.add_option("--log", words.log, "also a line of JSON for each stage")->type_name("FILE")->group(output);
  app.add_option("--report", words.report, "the page about the training (beside the model: NAME-report.html)")
      ->type_name("FILE")
      ->group(output);
  app.add_flag("--no-report", words.no_report, "no page")->group(output);
  app.add_flag("--force", words.force, "write over a model, a log and a page that are there")->group(output);
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

void finish_options(Words& words) {
  TrainOptions& o = words.options;
  o.features = parse_features(words.features);
  o.boost = parse_boost(words.boost);
  o.backend = parse_backend(words.backend);
  o.memory = parse_bytes("--memory", words.memory);
  o.seed = words.pack.options.seed;
  require(!o.resume || !o.checkpoint.empty(), "--resume goes on from a state: --checkpoint DIR");
  o.stages = words.stages.value_or(o.soft ? 6 : o.stages);
  o.min_hit = words.min_hit.value_or(o.soft ? 0.98 : o.min_hit);
  o.max_weak = words.max_weak.value_or(o.soft ? 400 : o.max_weak);
  require(words.weak == "stump" || words.weak == "tree" || words.weak == "table",
          "--weak wants stump, tree or table, not '" + words.weak + "'");
  o.weak = words.weak == "table" ? WeakKind::kTable : WeakKind::kTree;
  const bool tree = words.weak == "tree";
  require(tree || !words.depth || *words.depth == 1, "--depth is of trees: --weak tree");
  require(!tree || !words.depth || *words.depth == 2 || *words.depth == 3, "--depth of trees is 2 or 3");
  o.depth = tree ? words.depth.value_or(2) : 1;
  if (words.per_round != "all") {
    const double count = parse_real("--features-per-round", words.per_round);
    require(count >= 1 && count <= 1e9 && count == std::floor(count),
            "--features-per-round wants a whole number from 1 to 1000000000, or all, not '" +
                words.per_round + "'");
    o.features_per_round = static_cast<int>(count);
  }
}

CascadeFormat format_of(const std::string& path, const TrainOptions& options) {
  const std::string ending = std::filesystem::path(path).extension().string();
  require(ending == ".winnow" || ending == ".xml", "the model must end in .winnow or .xml: " + path);
  if (ending == ".winnow") return CascadeFormat::kWinnow;
  const char* unsaid = options.soft                       ? "a soft cascade"
                       : options.weak == WeakKind::kTable ? "a cascade of tables"
                                                          : nullptr;
  require(unsaid == nullptr, std::string("OpenCV's XML cannot say ") + (unsaid != nullptr ? unsaid : "") +
                                 ": the model must end in .winnow: " + path);
  return CascadeFormat::kOpenCvXml;
}

std::string report_path(const Words& words) {
  if (!words.report.empty()) return words.report;
  const std::filesystem::path out(words.out);
  return (out.parent_path() / (out.stem().string() + "-report.html")).string();
}

// A copy of the model that a training wrote, beside its state: gone on with, it may write over that one, and
// over no other.
std::string copy_of_model(const Words& words) {
  return (std::filesystem::path(words.options.checkpoint) / "model").string();
}

bool wrote_it_before(const Words& words) {
  std::error_code error;
  if (!words.options.resume || !std::filesystem::is_regular_file(words.out, error) ||
      !std::filesystem::is_regular_file(copy_of_model(words), error))
    return false;
  std::ifstream model(words.out, std::ios::binary), copy(copy_of_model(words), std::ios::binary);
  const std::istreambuf_iterator<char> end;
  return model && copy &&
         std::equal(std::istreambuf_iterator<char>(model), end, std::istreambuf_iterator<char>(copy), end);
}

bool goes_on(const Words& words) {
  std::error_code error;
  return words.options.resume &&
         std::filesystem::exists(std::filesystem::path(words.options.checkpoint) / "stage", error);
}

// The logs and pages of a training are known by their names. They are seen from its state's folder, so that
// all may be moved together, and end in a zero, which no name holds.
std::string list_of_written(const Words& words) {
  return (std::filesystem::path(words.options.checkpoint) / "written").string();
}

std::string name_in_list(const Words& words, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::relative(fs::absolute(path, error), fs::absolute(words.options.checkpoint, error), error)
      .string();
}

// Gone on with, it adds to its log and writes its page anew, and does so to no other's.
bool is_its_own(const Words& words, const std::string& path) {
  if (!goes_on(words)) return false;
  std::ifstream list(list_of_written(words), std::ios::binary);
  const std::string wanted = name_in_list(words, path);
  for (std::string name; std::getline(list, name, '\0');) {
    if (name == wanted) return true;
  }
  return false;
}

// Before the file itself is written: after a break between the two it is known. If this fails, the worst is
// that --force is asked for.
void remember(const Words& words, const std::string& path) {
  if (words.options.checkpoint.empty() || path.empty() || is_its_own(words, path)) return;
  std::ofstream(list_of_written(words), std::ios::binary | std::ios::app)
      << name_in_list(words, path) << '\0';
}

void check_outputs(const Words& words) {
  if (!words.force && !wrote_it_before(words)) check_new(words.out);
  check_writable(words.out, true);
  const std::string report = words.no_report ? "" : report_path(words);
  const auto other = [](const std::string& a, const std::string& b) {
    return a.empty() || b.empty() || !same_place(a, b);
  };
  require(other(words.log, words.out) && other(report, words.out) && other(words.log, report),
          "--out, --log and --report must be different files");
  for (const std::string& pack : words.packs)
    require(other(pack, words.log) && other(pack, report) && other(pack, words.out),
            pack + " is what is learned from: nothing may be written over it");
  for (const std::string& path : {report, words.log}) {
    if (path.empty()) continue;
    check_writable(path, false);
    if (!words.force && !is_its_own(words, path)) check_nothing_lost(path);
  }
}

// What shapes samples says nothing to a pack, which has them already.
void refuse_sample_options(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& name = option->get_name();
    if (option->get_group() != kSamples || name == "--pack" || name == "--seed") continue;
    require(option->count() == 0, name == "--positives" || name == "--negatives"
                                      ? "samples come from --pack or from --positives and --negatives, not "
                                        "from both"
                                      : name + " is for making samples; those of a --pack are made already");
  }
}

// The model is all that the training was for: say how to come by it if it cannot be written.
void save(const Cascade& cascade, const Words& words, CascadeFormat format) {
  try {
    // The copy first: with it, whatever happens between the two, the model is known for its own.
    if (!words.options.checkpoint.empty()) cascade.save(copy_of_model(words), format);
    cascade.save(words.out, format);
  } catch (const Error& error) {
    if (words.options.checkpoint.empty()) throw;
    throw Error(error.code(),
                std::string(error.what()) + "; nothing is lost: the same command with --resume writes it");
  }
}

int stopped(const Words& words) {
  say(words.options.checkpoint.empty() ? "stopped before the first stage was done: there is no model"
                                       : "stopped; the same command with --resume goes on");
  return stop_exit_code();
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
  if (words.packs.empty()) {
    require(!words.pack.positives.empty(), "positives are needed: --positives P, or --pack FILE");
    require(!words.pack.negatives.empty(), "negatives are needed: --negatives N");
  } else {
    refuse_sample_options(app);
  }
  const CascadeFormat format = format_of(words.out, words.options);
  check_outputs(words);
  check_training(words.options);
  const ModelCard card = card_of(words.card, {"", "", "trained by winnow", ""}, words.out);
  const Pack pack = words.packs.empty() ? make_pack_of(words.pack) : read_pack(words.packs);
  watch_for_stop("winnow: stopping, once this weak classifier or picture is done; Ctrl-C again ends at once");
  TrainTable table(words.options, words.log, is_its_own(words, words.log));
  bool remembered = false;
  // Not before the state is known to be of this training.
  const auto remember_log = [&] {
    if (!remembered) remember(words, words.log);
    remembered = true;
  };
  std::optional<TrainResult> trained;
  try {
    trained.emplace(train_cascade(pack, words.options, [&](const TrainStep& step) {
      remember_log();
      table.step(step);
      return !stop_requested();
    }));
  } catch (const Error& error) {
    clear_status();
    if (stop_requested() && error.code() == ErrorCode::kUsage) return stopped(words);
    throw;
  }
  TrainResult& result = *trained;
  remember_log();
  table.finish(result);
  if (result.stopped && !words.options.checkpoint.empty()) return stopped(words);
  if (result.stopped) say("stopped: the model has the stages that were done");
  CascadeModel model = result.cascade.model();
  model.card = card;
  result.cascade = Cascade(std::move(model));
  save(result.cascade, words, format);
  const CascadeModel& written = result.cascade.model();
  // Of a soft cascade each weak classifier is a stage, and rounds are what the table told.
  print(printable(words.out) + ": " +
        (words.options.soft ? "" : counted(static_cast<long long>(written.stages.size()), "stage") + ", ") +
        counted(static_cast<long long>(written.weak_count()), "weak classifier") + "\n");
  if (!words.no_report && !result.stopped) {
    const std::string page = training_page(pack, words.options, result);
    remember(words, report_path(words));
    write_text(report_path(words), page);
    print(printable(report_path(words)) + "\n");
  }
  if (result.stopped) return stop_exit_code();
  return table.log_failed() ? kExitProblem : kExitDone;
}

}  // namespace winnow::cli
