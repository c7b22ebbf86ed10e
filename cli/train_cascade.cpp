// Runs `winnow train cascade`: trains a cascade from samples, and shows a table meanwhile.
#include <fmt/format.h>
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
  std::optional<std::string> features, boost, weak, backend, memory, per_round;  // or the library's default
  std::string out, log, report;
  CardWords card;
  bool no_report = false, force = false;
  std::optional<int> depth, stages, max_weak;
  std::optional<double> min_hit, max_false;
  CascadeOptions options;
  RunOptions run;
  bool soft = false;
};

void add_options(CLI::App& app, Words& words) {
  CascadeOptions& o = words.options;
  RunOptions& r = words.run;
  // What the help calls the default is the library's.
  const CascadeOptions learned;
  const StageOptions stages;
  const SoftOptions soft;
  const RunOptions kept;
  add_pack_words(app, words.pack, kSamples);
  app.add_option("--pack", words.packs,
                 "packs from `winnow train pack`, instead of --positives and --negatives; several are joined")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kSamples);
  const std::string cascade = "Cascade";
  app.add_option("--features", words.features,
                 fmt::format("haar, haar-more, haar-tilted or lbp ({})", feature_set_name(learned.features)))
      ->type_name("KIND")
      ->group(cascade);
  app.add_option(
         "--stages", words.stages,
         fmt::format("most stages ({}); with --soft the number of rounds ({})", stages.stages, soft.rounds))
      ->type_name("N")
      ->group(cascade);
  app.add_option(
         "--min-hit", words.min_hit,
         fmt::format("part of the positives that each stage must pass ({}); with --soft, that the whole "
                     "cascade must pass ({})",
                     stages.min_hit, soft.min_hit))
      ->type_name("R")
      ->group(cascade);
  app.add_option("--max-false", words.max_false,
                 fmt::format("part of the negatives that a stage may pass; not used with --soft ({})",
                             stages.max_false))
      ->type_name("R")
      ->group(cascade);
  app.add_option("--boost", words.boost,
                 fmt::format("gentle, real or discrete ({})", boost_kind_name(learned.boost)))
      ->type_name("KIND")
      ->group(cascade);
  app.add_option("--weak", words.weak,
                 "stump, tree, or table: a leaf for each of 16 bins of a Haar feature (stump)")
      ->type_name("KIND")
      ->group(cascade);
  app.add_flag("--soft", words.soft,
               "train a soft cascade: one running sum, with a limit after each weak classifier")
      ->group(cascade);
  app.add_option("--depth", words.depth, "depth of the trees of --weak tree: 2 or 3 (2)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--max-weak", words.max_weak,
                 fmt::format("most weak classifiers per stage ({}); with --soft in the whole cascade ({})",
                             stages.max_weak, soft.max_weak))
      ->type_name("N")
      ->group(cascade);
  app.add_option("--stage-negatives", o.negatives,
                 "negatives of a stage (0: twice the positives, at least 1000)")
      ->type_name("N")
      ->group(cascade);
  app.add_option(
         "--negative-noise", o.negative_noise,
         "add noise to every other negative, with a standard deviation of at most S (1 is the full grey "
         "range); use it if positives have noise (0)")
      ->type_name("S")
      ->group(cascade);
  app.add_option("--pool", o.pool, "use only N random features in the whole training (0: all)")
      ->type_name("N")
      ->group(cascade);
  app.add_option("--features-per-round", words.per_round,
                 "try about N random features per weak classifier, or all (all)")
      ->type_name("N|all")
      ->group(cascade);
  const std::string run = "Run";
  app.add_option("--threads", r.machine.threads, "number of threads (0: all cores)")
      ->type_name("N")
      ->group(run);
  app.add_option("--backend", words.backend,
                 fmt::format("auto, cpu, reference or cuda ({})", backend_name(kept.machine.backend)))
      ->type_name("NAME")
      ->group(run);
  app.add_option("--memory", words.memory,
                 fmt::format("memory for feature values that are kept ({}G)", kept.memory >> 30))
      ->type_name("SIZE")
      ->group(run);
  app.add_option("--checkpoint", r.checkpoint, "save the state in DIR, so that the training can resume")
      ->type_name("DIR")
      ->group(run);
  app.add_flag("--resume", r.resume, "resume from the state in --checkpoint, or start if there is none")
      ->group(run);
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
  CascadeOptions& o = words.options;
  RunOptions& r = words.run;
  if (words.features) o.features = parse_features(*words.features);
  if (words.boost) o.boost = parse_boost(*words.boost);
  if (words.backend) r.machine.backend = parse_backend(*words.backend);
  if (words.memory) r.memory = parse_bytes("--memory", *words.memory);
  const std::string weak = words.weak.value_or("stump");
  r.seed = words.pack.options.seed;
  require(!r.resume || !r.checkpoint.empty(), "--resume goes on from a state: --checkpoint DIR");
  require(!words.max_false || (*words.max_false > 0 && *words.max_false < 1),
          "the largest false alarm rate must be between 0 and 1");
  if (words.soft) {
    SoftOptions soft;
    soft.rounds = words.stages.value_or(soft.rounds);
    soft.min_hit = words.min_hit.value_or(soft.min_hit);
    soft.max_weak = words.max_weak.value_or(soft.max_weak);
    o.form = soft;
  } else {
    StageOptions stages;
    stages.stages = words.stages.value_or(stages.stages);
    stages.min_hit = words.min_hit.value_or(stages.min_hit);
    stages.max_false = words.max_false.value_or(stages.max_false);
    stages.max_weak = words.max_weak.value_or(stages.max_weak);
    o.form = stages;
  }
  require(weak == "stump" || weak == "tree" || weak == "table",
          "--weak wants stump, tree or table, not '" + weak + "'");
  o.weak = weak == "table" ? WeakKind::kTable : WeakKind::kTree;
  const bool tree = weak == "tree";
  require(tree || !words.depth || *words.depth == 1, "--depth is of trees: --weak tree");
  require(!tree || !words.depth || *words.depth == 2 || *words.depth == 3, "--depth of trees is 2 or 3");
  o.depth = tree ? words.depth.value_or(2) : 1;
  if (words.per_round && *words.per_round != "all") {
    const double count = parse_real("--features-per-round", *words.per_round);
    require(count >= 1 && count <= 1e9 && count == std::floor(count),
            "--features-per-round wants a whole number from 1 to 1000000000, or all, not '" +
                *words.per_round + "'");
    o.features_per_round = static_cast<int>(count);
  }
}

CascadeFormat format_of(const std::string& path, const CascadeOptions& options) {
  const std::string ending = std::filesystem::path(path).extension().string();
  require(ending == ".winnow" || ending == ".xml", "the model must end in .winnow or .xml: " + path);
  if (ending == ".winnow") return CascadeFormat::kWinnow;
  const char* unsaid = options.soft()                     ? "a soft cascade"
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

// A copy, beside the state, of the model that a training wrote. A resumed training may overwrite a model that
// equals the copy, and no other.
std::string copy_of_model(const Words& words) {
  return (std::filesystem::path(words.run.checkpoint) / "model").string();
}

bool wrote_it_before(const Words& words) {
  std::error_code error;
  if (!words.run.resume || !std::filesystem::is_regular_file(words.out, error) ||
      !std::filesystem::is_regular_file(copy_of_model(words), error))
    return false;
  std::ifstream model(words.out, std::ios::binary), copy(copy_of_model(words), std::ios::binary);
  const std::istreambuf_iterator<char> end;
  return model && copy &&
         std::equal(std::istreambuf_iterator<char>(model), end, std::istreambuf_iterator<char>(copy), end);
}

bool goes_on(const Words& words) {
  std::error_code error;
  return words.run.resume &&
         std::filesystem::exists(std::filesystem::path(words.run.checkpoint) / "stage", error);
}

// The list of a training's logs and pages. Names are relative to the folder of the state, so that all may be
// moved together. Each ends in a zero byte, which no name holds.
std::string list_of_written(const Words& words) {
  return (std::filesystem::path(words.run.checkpoint) / "written").string();
}

std::string name_in_list(const Words& words, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::relative(fs::absolute(path, error), fs::absolute(words.run.checkpoint, error), error).string();
}

// A resumed training adds to its own log and rewrites its own page. Other files stay as they are.
bool is_its_own(const Words& words, const std::string& path) {
  if (!goes_on(words)) return false;
  std::ifstream list(list_of_written(words), std::ios::binary);
  const std::string wanted = name_in_list(words, path);
  for (std::string name; std::getline(list, name, '\0');) {
    if (name == wanted) return true;
  }
  return false;
}

// Called before the file itself is written, so that the file is known after a break. If this fails, the
// training asks for --force.
void remember(const Words& words, const std::string& path) {
  if (words.run.checkpoint.empty() || path.empty() || is_its_own(words, path)) return;
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

// Options that shape samples have no effect on a pack, whose samples are made.
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

// The model is all that the training was for. If it cannot be written, the error says how to get it.
void save(const Cascade& cascade, const Words& words, CascadeFormat format) {
  try {
    // The copy comes first. After a break between the two writes, the model is still known as the training's
    // own.
    if (!words.run.checkpoint.empty()) cascade.save(copy_of_model(words), format);
    cascade.save(words.out, format);
  } catch (const Error& error) {
    if (words.run.checkpoint.empty()) throw;
    throw Error(error.code(),
                std::string(error.what()) + "; nothing is lost: the same command with --resume writes it");
  }
}

int stopped(const Words& words) {
  say(words.run.checkpoint.empty() ? "stopped before the first stage was done: there is no model"
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
  check_training(words.options, words.run);
  const ModelCard card = card_of(words.card, {"", "", "trained by winnow", ""}, words.out);
  const Pack pack = words.packs.empty() ? make_pack_of(words.pack) : read_pack(words.packs);
  watch_for_stop("winnow: stopping, once this weak classifier or picture is done; Ctrl-C again ends at once");
  TrainTable table(words.options, words.log, is_its_own(words, words.log));
  bool remembered = false;
  // Waits until the state is known to belong to this training.
  const auto remember_log = [&] {
    if (!remembered) remember(words, words.log);
    remembered = true;
  };
  std::optional<TrainResult> trained;
  try {
    trained.emplace(train_cascade(pack, words.options, words.run, [&](const TrainStep& step) {
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
  if (result.stopped && !words.run.checkpoint.empty()) return stopped(words);
  if (result.stopped) say("stopped: the model has the stages that were done");
  CascadeModel model = result.cascade.model();
  model.card = card;
  result.cascade = Cascade(std::move(model));
  save(result.cascade, words, format);
  const CascadeModel& written = result.cascade.model();
  // In a soft cascade each weak classifier is a stage, and the table counted rounds.
  print(printable(words.out) + ": " +
        (words.soft ? "" : counted(static_cast<long long>(written.stages.size()), "stage") + ", ") +
        counted(static_cast<long long>(written.weak_count()), "weak classifier") + "\n");
  if (!words.no_report && !result.stopped) {
    const std::string page = training_page(pack, words.options, words.run, result);
    remember(words, report_path(words));
    write_text(report_path(words), page);
    print(printable(report_path(words)) + "\n");
  }
  if (result.stopped) return stop_exit_code();
  return table.log_failed() ? kExitProblem : kExitDone;
}

}  // namespace winnow::cli
