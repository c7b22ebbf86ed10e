#include "benching/scan_bench.h"

#include <winnow/answer.h>
#include <winnow/error.h>

#include <algorithm>
#include <chrono>
#include <span>

#include "terminal/arguments.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Takes frames as a search does that has these threads, and does nothing.
class NoWork final : public ScanWork {
 public:
  NoWork(int threads, bool color) : threads_(threads), color_(color) {}
  void answer(std::span<ScanEvent* const>) override {}
  bool reads_color() const override { return color_; }
  int threads() const override { return threads_; }

 private:
  int threads_;
  bool color_;
};

// The line that `winnow detect` prints for the frame.
std::string line_of(const Input& input, const ScanEvent& event, const std::string& model) {
  FrameResult result;
  result.source = input.path;
  result.frame = event.index;
  result.time = event.time;
  result.picture = event.picture.gray.size();
  result.model = model;
  result.objects = event.found.objects;
  return result_lines(result);
}

}  // namespace

// Milliseconds of a run, all pictures together.
struct ScanBench::Run {
  double whole = 0, search = 0, lines = 0;
  std::size_t frames = 0;
  std::int64_t problems = 0;
};

ScanBench::ScanBench(std::vector<Input> inputs) : inputs_(std::move(inputs)) {
  for (const Input& input : inputs_)
    require(input.kind != InputKind::kCamera && input.kind != InputKind::kStream,
            "bench reads its inputs several times, and " + input_name(input) +
                " can be read once only; name pictures, folders or videos");
}

BenchRow ScanBench::measure(const BenchModel& model, const BenchJob& job) {
  BenchRow row = begin_row(model, job, Detector(model.model, job.machine));
  std::vector<Run> runs;
  BenchParts parts;
  for (int i = 0; i < job.repeat; ++i) {
    auto work = make_detect_work(model.model, job.options, job.machine);
    if (i == 0) parts.decode = decoding(work->threads(), work->reads_color(), job);
    row.counters = {};
    row.objects = 0;
    runs.push_back(run(std::move(work), job, &row));
    if (runs.back().frames == 0)
      return unmeasured_row(model.name, job.machine.backend, "no picture could be searched");
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.whole < b.whole; });
  row.pictures = runs.front().frames;
  row.problems = runs.front().problems;
  const auto pictures = static_cast<double>(row.pictures);
  for (const Run& each : runs) row.times.push_back(each.whole / pictures);
  // The parts are those of the runs whose times make up the median.
  for (const std::size_t middle : {runs.size() / 2, (runs.size() - 1) / 2}) {
    parts.search += runs[middle].search / pictures / 2;
    parts.lines += runs[middle].lines / pictures / 2;
  }
  row.parts = parts;
  return row;
}

ScanBench::Run ScanBench::run(std::unique_ptr<ScanWork> work, const BenchJob& job, BenchRow* row) {
  ScanOptions options;
  options.batch = job.batch;
  Progress progress(inputs_.size(), "object", false);
  Run run;
  const auto start = Clock::now();
  Scan scan(inputs_, std::move(work), options);
  for (ScanEvent event; scan.next(event);) {
    run.search += event.seconds * 1000;
    switch (event.kind) {
      case FrameEvent::Kind::kFrame:
        ++run.frames;
        if (row != nullptr) {
          const auto found = Clock::now();
          line_of(inputs_[event.input], event, row->model);
          run.lines += milliseconds_since(found);
          row->add(event.found);
          note_backend(row->backend, event.found.backend);
        }
        progress.frame_done(event.found.objects.size(), scan.progress().fraction);
        break;
      case FrameEvent::Kind::kProblem:
        ++run.problems;
        report(event.problem);
        break;
      case FrameEvent::Kind::kEnd:
        progress.input_done();
        break;
    }
  }
  run.whole = milliseconds_since(start);
  clear_status();
  return run;
}

// The time of reading alone, in the median of the runs. A first run is not timed: its files may come from the
// disk, while those of later runs come from memory.
double ScanBench::decoding(int threads, bool color, const BenchJob& job) {
  const auto known = decode_times_.find({threads, color});
  if (known != decode_times_.end()) return known->second;
  std::vector<double> times;
  for (int i = decode_times_.empty() ? -1 : 0; i < job.repeat; ++i) {
    const Run read = run(std::make_unique<NoWork>(threads, color), job, nullptr);
    if (read.frames == 0)
      throw Error(ErrorCode::kIo, "there is nothing to measure: no picture could be read");
    if (i >= 0) times.push_back(read.whole / static_cast<double>(read.frames));
  }
  std::sort(times.begin(), times.end());
  return decode_times_[{threads, color}] = median(times);
}

void ScanBench::report(const std::string& problem) {
  if (reported_.insert(problem).second) say(problem);
}

}  // namespace winnow::cli
