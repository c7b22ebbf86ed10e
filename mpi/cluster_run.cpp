#include "cluster_run.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>
#include <winnow/detector_model.h>
#include <winnow/error.h>
#include <winnow/landmarks.h>
#include <winnow/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/root.h"
#include "cluster/split/split_sieve.h"
#include "cluster/worker.h"
#include "detecting/detect_arguments.h"
#include "detecting/job_search.h"
#include "detecting/record_output.h"
#include "leave_at_stop.h"
#include "print_event.h"
#include "run_summary.h"
#include "split_run.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::mpi {
namespace {

using namespace cli;

constexpr const char* kExamples =
    "Examples:\n"
    "  mpirun -n 5 --bind-to none winnow-mpi detect --recursive --lines found.jsonl photos/\n"
    "  mpirun --host a:2,b:2 --bind-to none winnow-mpi faces --lines faces.jsonl photos/\n"
    "\n"
    "Rank 0 reads the inputs, deals them to the other ranks, and writes their answers in the order of the\n"
    "inputs: the lines of `winnow detect` and `winnow faces`. One rank alone does all by itself.";

struct Command {
  bool faces = false;
  DetectArguments args;
  std::string lines;  // a file; "": standard output
  bool force = false;
  bool split = false;
};

// False if the arguments asked for help or for the version.
bool parse(const Arguments& arguments, Command& command) {
  const std::string name = arguments.empty() ? "" : arguments.front();
  if (name == "--help" || name == "-h") {
    print(std::string(
              "winnow-mpi detect finds objects, and winnow-mpi faces marks the points of faces, on many "
              "hosts.\nTheir options: winnow-mpi detect --help, winnow-mpi faces --help\n\n") +
          kExamples + "\n");
    return false;
  }
  if (name == "--version") {
    print(std::string("winnow-mpi ") + version() + "\n");
    return false;
  }
  require(name == "detect" || name == "faces",
          name.empty() ? "name a command: detect or faces (see `winnow-mpi detect --help`)"
                       : "the first word is detect or faces, not '" + name + "'");
  command.faces = name == "faces";
  CLI::App app(command.faces ? "Marks the points of faces, on many hosts." : "Finds objects, on many hosts.",
               "winnow-mpi " + name);
  app.footer(kExamples);
  add_detect_options(app, command.args, command.faces);
  const OptionGroup hosts(app, "Hosts");
  hosts.value("--lines", command.lines, "FILE",
              "write the lines into this file; rank 0 alone writes it (standard output of mpirun loses lines "
              "of a full disk without a word)");
  hosts.flag("--force", command.force, "write over a file of --lines that is there already");
  if (!command.faces)
    hosts.flag("--split-picture", command.split,
               "search each picture on all ranks, rank 0 among them; for single large pictures and cascades");
  return parse_arguments(app, {arguments.begin() + 1, arguments.end()});
}

// Refuses options that need the pixels, which rank 0 does not have, and --timing, whose lines name no rank.
void refuse_local_options(const DetectJob& job, bool split) {
  const std::pair<const char*, bool> of_pixels[] = {
      {"--review", !job.review.empty()}, {"--blur", job.blur}, {"--out", !job.out.empty()}};
  for (const auto& [option, is_given] : of_pixels)
    require(!is_given, std::string(option) +
                           " is not possible on many hosts: rank 0 has no pixels; run `winnow` for copies");
  require(split || !job.timing, "--timing is not possible on many hosts: ranks answer at the same time");
}

NamedFile named_file(const std::string& path) {
  constexpr std::string_view kBuiltIn = "built-in:";  // each rank has these
  if (path.starts_with(kBuiltIn)) return {path, {}};
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error(ErrorCode::kIo, "cannot be read", path);
  const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
  return {path, {first, first + bytes.size()}};
}

int host_threads(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// A model without a name of its own is called as its file.
std::string name_of(const NamedFile& file) { return std::filesystem::path(file.name).stem().string(); }

DetectorModel model_of(const NamedFile& file) {
  return file.bytes.empty() ? DetectorModel::load(file.name)
                            : DetectorModel::parse(file.bytes, name_of(file));
}

Landmarks landmarks_of(const NamedFile& file) {
  return file.bytes.empty() ? Landmarks::load(file.name) : Landmarks::parse(file.bytes, name_of(file));
}

class RootRun {
 public:
  RootRun(Transport& transport, const DetectJob& job, const DetectorModel& model, const RecordRules& rules,
          const Hello& hello, std::vector<Input> inputs)
      : quiet_(job.quiet),
        output_(job, model, rules, inputs.size()),
        scan_(transport, hello, std::move(inputs), options(job)) {
    output_.progress().speak();
  }

  int run() {
    output_.print_header();
    for (ClusterEvent event; scan_.next(event);) {
      stop_.write(event.from, [&] { print(event); });
    }
    if (stop_requested()) stop_.leave();
    const std::vector<RankFigures>& figures = scan_.finish();
    output_.tell(scan_.note());
    const int code = output_.finish();
    if (!quiet_) summary_.say_all(scan_.root_figures(), figures);
    return code;
  }

 private:
  void print(const ClusterEvent& event) {
    output_.tell(scan_.note());
    print_event(output_, event, [&] {
      output_.print_record(event.record, event.fraction);
      summary_.line_written(event);
    });
  }

  ClusterOptions options(const DetectJob& job) const {
    ClusterOptions options;
    options.every = job.every;
    options.max_pixels = job.max_pixels;
    options.threads = reader_threads(host_threads(job.detector.threads));
    options.whole_videos = !job.landmarks.empty();
    options.stop = stop_.token();
    return options;
  }

  const bool quiet_;
  LeaveAtStop stop_;
  RunSummary summary_;
  RecordOutput output_;
  ClusterScan scan_;
};

// Rank i of a host takes its i-th device, and its part of the host's threads.
void take_part(const HostPart& part, MachineOptions& machine) {
  const auto number = static_cast<std::size_t>(part.number);
  if (machine.devices.size() > 1 || machine.devices.front() != 0) {
    machine.devices = {machine.devices[number % machine.devices.size()]};
  } else {
    machine.devices = {part.number};
  }
  if (machine.threads == 0) machine.threads = std::max(1, host_threads(0) / part.of);
}

// mpirun ends all ranks at the same time, and kills those that are left once one of them has ended. This rank
// therefore leaves rank 0 the time for its last sentence.
void end_late(int signal) {
  poll(nullptr, 0, 200);
  _exit(128 + signal);
}

void end_after_rank_0() {
  struct sigaction action {};
  action.sa_handler = end_late;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGTERM, &action, nullptr);
}

// Tells of a host whose ranks are bound to one core each, although they have more threads.
void check_binding(int rank, const HostPart& part, int threads) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (part.number > 0 || sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) > 1) return;
  const auto cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (std::min(threads, cores) > 1)
    say(fmt::format("rank {} has {} threads and is bound to one core; mpirun --bind-to none gives it more",
                    rank, threads));
}

}  // namespace

int run_as_root(Transport& transport, const HostParts& parts, const Arguments& arguments) {
  Command command;
  DetectJob job;
  std::vector<Input> inputs;
  std::optional<DetectorModel> model;
  RecordRules rules;
  Hello hello{version(), arguments, {}};
  try {
    if (!parse(arguments, command)) {
      end_ranks(transport);
      return kExitDone;
    }
    const std::string name = "winnow-mpi " + arguments.front();
    refuse_local_options(command.args.job, command.split);
    job = checked_job(command.args);
    find_models(command.args, command.faces, name, job);
    inputs = list_inputs(command.args, job);
    hello.files.push_back(named_file(job.model));
    if (command.faces) hello.files.push_back(named_file(job.landmarks));
    model = DetectorModel::load(job.model);
    if (command.split) check_split(job, *model, inputs);
    rules =
        rules_of(job, *model, command.faces ? std::optional(load_landmarks(job.landmarks)) : std::nullopt);
    if (!command.lines.empty()) {
      check_writable(command.lines, false);
      if (!command.force) check_nothing_lost(command.lines);
      print_into(command.lines);
    }
  } catch (...) {
    end_ranks(transport);
    throw;
  }
  if (transport.ranks() == 1) return run_detect(job, std::move(inputs));
  watch_for_stop();
  if (command.split) {
    take_part(parts.split, job.detector);
    return run_split(transport, job, *model, rules, hello, std::move(inputs));
  }
  return RootRun(transport, job, *model, rules, hello, std::move(inputs)).run();
}

int run_as_rank(Transport& transport, const HostParts& parts) {
  end_after_rank_0();
  const MakeRankTask make = [&](const Hello& hello) -> RankTask {
    Command command;
    parse(hello.arguments, command);
    DetectJob job = checked_job(command.args);
    job.model = hello.files.front().name;
    if (command.faces) job.landmarks = hello.files.at(1).name;
    job.quiet = true;
    const HostPart& part = command.split ? parts.split : parts.dealt;
    take_part(part, job.detector);
    check_binding(transport.rank(), part, job.detector.threads);
    const DetectorModel model = model_of(hello.files.front());
    if (command.split) return make_rank_sift(model, job.detector);
    std::optional<Landmarks> landmarks;
    if (command.faces) landmarks = landmarks_of(hello.files[1]);
    JobSearch search = make_job_search(job, model, landmarks);
    RankWork work;
    work.work = std::move(search.work);
    work.rules = search.rules;
    work.options.batch = job.batch;
    work.options.max_pixels = job.max_pixels;
    work.options.make_state = std::move(search.make_state);
    return work;
  };
  answer_as_rank(transport, make);  // rank 0 says what went wrong
  return kExitDone;
}

}  // namespace winnow::mpi
