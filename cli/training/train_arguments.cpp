#include "training/train_arguments.h"

#include <fmt/format.h>

#include <filesystem>

#include "terminal/arguments.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

constexpr const char* kSamples = "Samples";

// A pack's samples are finished, so options that shape samples have no effect on them.
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
  app.add_option("--pack", packs,
                 "pack made by `winnow train pack`, instead of --positives and --negatives; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kSamples);
}

void SharedTrainArguments::add_run_options(CLI::App& app, const std::string& what_memory_is_for) {
  const RunOptions kept;
  const std::string heading = "Run";
  app.add_option("--threads", run.machine.threads, "number of threads (0: all cores)")
      ->type_name("N")
      ->group(heading);
  app.add_option("--backend", backend,
                 fmt::format("auto, cpu, reference or cuda ({})", backend_name(kept.machine.backend)))
      ->type_name("NAME")
      ->group(heading);
  app.add_option("--memory", memory,
                 fmt::format("most memory for {} ({}G)", what_memory_is_for, kept.memory >> 30))
      ->type_name("SIZE")
      ->group(heading);
  app.add_option("--checkpoint", run.checkpoint, "save the state in DIR, so that the training can resume")
      ->type_name("DIR")
      ->group(heading);
  app.add_flag("--resume", run.resume, "resume from the state in --checkpoint, or start if there is none")
      ->group(heading);
}

void SharedTrainArguments::add_output_options(CLI::App& app, const std::string& out_help) {
  const std::string heading = "Output";
  app.add_option("--out", out, out_help)->required()->type_name("FILE")->group(heading);
  add_card_options(app, card, "the name of the file", "", heading);
  app.add_option("--log", log, "also write one line of JSON per stage")->type_name("FILE")->group(heading);
  app.add_option("--report", report, "page about the training (NAME-report.html beside the model)")
      ->type_name("FILE")
      ->group(heading);
  app.add_flag("--no-report", no_report, "write no page")->group(heading);
  app.add_flag("--force", force, "write over an existing model, log and page")->group(heading);
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

TrainFiles SharedTrainArguments::files() const {
  return {out, log, report_path(), run.checkpoint, run.resume};
}

ModelCard SharedTrainArguments::made_card() const {
  return card_of(card, {"", "", "trained by winnow", ""}, out);
}

int SharedTrainArguments::stopped() const {
  say(run.checkpoint.empty() ? "stopped too early: there is no model"
                             : "stopped; the same command with --resume goes on");
  return stop_exit_code();
}

}  // namespace winnow::cli
