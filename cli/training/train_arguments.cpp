#include "training/train_arguments.h"

#include <fmt/format.h>

#include <filesystem>

#include "terminal/arguments.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

constexpr const char* kSamples = "Samples";

// Refuses options that shape samples, because the samples of a pack are finished.
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

}  // namespace

void SharedTrainArguments::add_sample_options(CLI::App& app) {
  add_pack_options(app, pack, kSamples);
  const OptionGroup samples(app, kSamples);
  samples
      .value("--pack", packs, "FILE",
             "pack made by `winnow train pack`, instead of --positives and --negatives; may be repeated")
      ->allow_extra_args(false);
}

void SharedTrainArguments::add_run_options(CLI::App& app, const std::string& what_memory_is_for) {
  const RunOptions kept;
  const OptionGroup run_group(app, "Run");
  run_group.value("--threads", run.machine.threads, "N", "number of threads (0: all cores)");
  run_group.value("--backend", backend, "NAME",
                  fmt::format("auto, cpu, reference or cuda ({})", backend_name(kept.machine.backend)));
  run_group.value("--memory", memory, "SIZE",
                  fmt::format("most memory for {} ({}G)", what_memory_is_for, kept.memory >> 30));
  run_group.value("--checkpoint", run.checkpoint, "DIR",
                  "save the state in DIR, so that the training can resume");
  run_group.flag("--resume", run.resume, "resume from the state in --checkpoint, or start if there is none");
}

void SharedTrainArguments::add_output_options(CLI::App& app, const std::string& out_help) {
  const OptionGroup output(app, "Output");
  output.value("--out", out, "FILE", out_help)->required();
  add_card_options(app, card, "the name of the file", "", output.heading());
  output.value("--log", log, "FILE", "also write one line of JSON per stage");
  output.value("--report", report, "FILE", "page about the training (NAME-report.html beside the model)");
  output.flag("--no-report", no_report, "write no page");
  output.flag("--force", force, "write over an existing model, log and page");
}

void SharedTrainArguments::finish() {
  if (backend) run.machine.backend = parse_backend(*backend);
  if (memory) run.memory = parse_bytes("--memory", *memory);
  run.seed = pack.options.seed;
  require(!run.resume || !run.checkpoint.empty(), "--resume goes on from a state: --checkpoint DIR");
}

void SharedTrainArguments::check_samples(const CLI::App& app, bool reads_color, const char* window) const {
  if (packs.empty()) {
    require(!pack.positives.empty(), "positives are needed: --positives P, or --pack FILE");
    require(!pack.negatives.empty(), "negatives are needed: --negatives N");
    require(reads_color || !pack.options.color,
            "this training reads grey; leave out --color, which is for `winnow train hog-svm`");
    if (window != nullptr && app.count("--window") == 0) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the size of the positives is needed, with some ground around the model's "
                              "window: --window {}",
                              window));
    }
  } else {
    refuse_sample_options(app);
  }
}

Pack SharedTrainArguments::read() { return packs.empty() ? make_pack_of(pack) : read_pack(packs); }

std::string SharedTrainArguments::report_path() const {
  if (no_report) return "";
  if (!report.empty()) return report;
  const std::filesystem::path model(out);
  return (model.parent_path() / (model.stem().string() + "-report.html")).string();
}

TrainFiles SharedTrainArguments::checked_files() const {
  TrainFiles files{out, log, report_path(), run.checkpoint, run.resume};
  files.check(packs, force);
  return files;
}

ModelCard SharedTrainArguments::made_card() const {
  ModelCard made;
  made.source = "trained by winnow";
  return card_of(card, made, out);
}

int SharedTrainArguments::stopped() const {
  say(run.checkpoint.empty() ? "stopped too early: there is no model"
                             : "stopped; the same command with --resume goes on");
  return stop_exit_code();
}

bool ends_in_xml(const std::string& out) {
  const std::string ending = std::filesystem::path(out).extension().string();
  require(ending == ".winnow" || ending == ".xml", "the model must end in .winnow or .xml: " + out);
  return ending == ".xml";
}

}  // namespace winnow::cli
