// Runs `winnow bench`: measures models on backends, with decoded pictures or from files to lines. The opening
// comment of cli/commands.h, which declares this, holds here.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/feed.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "benching/bench_output.h"
#include "benching/decoded_bench.h"
#include "benching/scan_bench.h"
#include "commands.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace winnow::cli {
namespace {

constexpr int kSearches = 10, kRuns = 3;  // the defaults of --repeat

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow bench group.jpg\n"
    "  winnow bench -m face -m haarcascade_frontalface_alt --backend cpu,cuda group.jpg\n"
    "  winnow bench photos/\n"
    "  winnow bench --decoded --batch 64 --json photos/\n"
    "\n"
    "One picture is decoded once and searched again and again. Folders, videos and several inputs are timed "
    "as\n"
    "winnow detect does them, from files to lines: decoding, searching, merging, and making lines. The "
    "lines\n"
    "are dropped. The files are read before the first run, so that they come from memory.\n"
    "--decoded times the search alone, of all pictures. If they are fewer than --batch, a call takes them\n"
    "again from the first.\n"
    "Times are milliseconds a picture. JSON has more of them, and counters, which are sums over the "
    "pictures.\n"
    "Exit code: 0 done, 1 a picture could not be read or a row not be measured, 2 bad usage, or no backend\n"
    "that was named is here.";

struct BenchArguments {
  InputRequest inputs;
  std::vector<std::string> models, backends;
  SearchArguments search;
  BenchJob job;
  std::optional<int> repeat;
  bool decoded = false, json = false, stages = false;
};

void add_options(CLI::App& app, BenchArguments& args) {
  app.add_option("INPUT", args.inputs.names, "a picture; or pictures, folders, patterns and videos")
      ->type_name("");
  one_a_time(app.add_option("-m,--model", args.models,
                            "name or file of a model (face); repeat the option to compare models; `winnow "
                            "models` lists the names"))
      ->type_name("NAME|FILE");

  const OptionGroup what(app, "Measurement");
  what.flag("--decoded", args.decoded, "decode all pictures first, and time the search alone");
  what.value("--repeat", args.repeat, "N",
             "number of measurements, each of all pictures (" + std::to_string(kSearches) + "; " +
                 std::to_string(kRuns) + " from files to lines)");
  what.flag("--recursive", args.inputs.recursive, "also search folders inside the given folders");

  const OptionGroup output(app, "Output");
  output.flag("--json", args.json, "print a line of JSON for each model and backend");
  output.flag("--stages", args.stages, "with --json: add how many windows reached each stage");

  const OptionGroup machine(app, "Machine");
  one_a_time(machine.value("--backend", args.backends, "NAME[,NAME]",
                           "the backend that searches: auto, reference, cpu or cuda (auto); name several to "
                           "compare them"))
      ->delimiter(',');
  add_device_options(app, args.job.machine, machine.heading());
  machine.value("--batch", args.job.batch, "N",
                "pictures per call (1; from files up to 64, as many as are read by then)");
  machine.flag("--pinned", args.job.pinned,
               "keep decoded pictures in pinned memory, which a device reads without a copy by the CPU");

  add_search_options(app, args.search, args.job.options, "Search");
}

// Whether the inputs are timed from files to lines. One picture is searched alone.
bool times_files(const BenchArguments& args, const std::vector<Input>& inputs) {
  if (args.decoded) return false;
  std::error_code error;
  if (inputs.size() > 1 || std::filesystem::is_directory(args.inputs.names.front(), error)) return true;
  const InputKind kind = inputs.front().kind;
  return kind == InputKind::kVideo || kind == InputKind::kCamera || kind == InputKind::kStream;
}

std::vector<Input> find_inputs(const BenchArguments& args) {
  require(!args.inputs.names.empty(),
          "there is nothing to do: name a picture or a folder (see `winnow bench --help`)");
  std::vector<Input> inputs = expand_inputs(args.inputs);
  require(!inputs.empty(),
          args.inputs.recursive
              ? "there is nothing to do: no picture or video was found"
              : "there is nothing to do: no picture or video was found (--recursive looks deeper)");
  return inputs;
}

std::vector<BenchModel> load_models(const BenchArguments& args) {
  std::vector<std::string> names = args.models;
  if (names.empty()) names = {"face"};
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back(find_model_file(name));
  std::vector<BenchModel> models;
  std::set<std::string> used;
  for (const std::string& file : files) {
    DetectorModel model = DetectorModel::load(file);
    std::string name = unique_name(used, model_name(model.card(), file));
    check_windows(model, name, args.job.options);
    models.push_back({std::move(name), std::move(model)});
  }
  return models;
}

// Measures each model on each backend. Returns the exit code.
template <class Measure>
int measure_all(const std::vector<BenchModel>& models, const std::vector<BackendKind>& backends, BenchJob job,
                BenchForm form, Measure measure) {
  for (const BenchModel& model : models)
    form.name_width = std::max(form.name_width, printable(model.name).size());
  BenchOutput output(form);
  const std::size_t rows = models.size() * backends.size();
  std::size_t missing = 0;  // rows whose backend is not here
  for (const BenchModel& model : models) {
    for (const BackendKind backend : backends) {
      job.machine.backend = backend;
      BenchRow row;
      try {
        row = measure(model, job);
      } catch (const Error& error) {
        // The other rows are measured nevertheless. If there are none, the error is the answer.
        const bool not_here = error.code() == ErrorCode::kBackend;
        if (rows == 1 || !(not_here || error.code() == ErrorCode::kDevice)) throw;
        if (not_here) ++missing;
        row = unmeasured_row(model.name, backend, error.what());
      }
      output.add(row);
    }
  }
  output.finish();
  const std::size_t unmeasured = rows - output.measured();
  if (unmeasured == 0) return kExitDone;
  say(fmt::format("{} of {} {} not measured{}", unmeasured, counted(static_cast<long long>(rows), "row"),
                  unmeasured == 1 ? "was" : "were",
                  missing > 0 ? "; `winnow backends` tells what this machine has" : ""));
  return missing == rows ? kExitUsage : kExitProblem;
}

}  // namespace

int bench_command(const Arguments& arguments) {
  CLI::App app("Measures how fast models are on pictures, and on which backend.", "winnow bench");
  app.footer(kExamples);
  BenchArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;

  BenchJob& job = args.job;
  finish_search(args.search, job.options, job.machine);
  if (args.backends.empty()) args.backends = {"auto"};
  std::vector<BackendKind> backends;
  for (const std::string& name : args.backends) backends.push_back(parse_backend(name));
  require(!job.batch || (*job.batch >= 1 && *job.batch <= 65536), "--batch must be 1 to 65536");
  require(!args.repeat || (*args.repeat >= 1 && *args.repeat <= 1000000), "--repeat must be 1 to 1000000");
  require(!args.stages || args.json, "--stages goes with --json");
  const std::vector<Input> inputs = find_inputs(args);
  const bool files = times_files(args, inputs);
  require(!job.pinned || !files, "--pinned keeps decoded pictures: add --decoded");
  const std::vector<BenchModel> models = load_models(args);
  job.repeat = args.repeat.value_or(files ? kRuns : kSearches);
  BenchForm form;
  form.json = args.json;
  form.stages = args.stages;
  form.files = files;
  form.repeat = job.repeat;

  if (files) {
    ScanBench bench(inputs);
    const int code =
        measure_all(models, backends, job, form,
                    [&](const BenchModel& model, const BenchJob& one) { return bench.measure(model, one); });
    return code == kExitDone && bench.has_problems() ? kExitProblem : code;
  }
  const bool color =
      !job.options.gray && std::any_of(models.begin(), models.end(),
                                       [](const BenchModel& each) { return each.model.reads_color(); });
  const DecodedPictures pictures(inputs, color, job.pinned);
  return measure_all(models, backends, job, form, [&](const BenchModel& model, const BenchJob& one) {
    return measure_decoded(model, one, pictures.views());
  });
}

}  // namespace winnow::cli
