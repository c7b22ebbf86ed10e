#include "split_run.h"

#include <winnow/scan.h>

#include <memory>
#include <string>
#include <utility>

#include "cluster/greeting.h"
#include "cluster/split/split_work.h"
#include "detecting/record_output.h"
#include "leave_at_stop.h"
#include "print_event.h"
#include "terminal/arguments.h"
#include "terminal/stop.h"

namespace winnow::mpi {
namespace {

using namespace cli;

// The ranks that are greeted, until the run has ended.
class ReadyRanks {
 public:
  ReadyRanks(Transport& transport, const Hello& hello) : transport_(transport) {
    greet_ranks(transport, hello);
  }
  ~ReadyRanks() {
    if (ended_) return;
    try {
      end(MessageKind::kStop);
    } catch (...) {  // the run ends anyway
    }
  }
  void end(MessageKind how) {
    ended_ = true;
    end_ready_ranks(transport_, how);
  }

 private:
  Transport& transport_;
  bool ended_ = false;
};

}  // namespace

void check_split(const DetectJob& job, const DetectorModel& model, const std::vector<Input>& inputs) {
  SplitWork::check_model(model);
  for (const Input& input : inputs)
    require(input.kind != InputKind::kVideo && input.kind != InputKind::kCamera &&
                input.kind != InputKind::kStream,
            input_name(input) +
                ": --split-picture takes single pictures from files; leave it out for videos, "
                "cameras and standard input, whose frames go to ranks whole");
  require(job.every == 1, "--split-picture takes single pictures, and --every counts frames of videos");
}

int run_split(Transport& transport, const DetectJob& job, const DetectorModel& model,
              const RecordRules& rules, const Hello& hello, std::vector<Input> inputs) {
  LeaveAtStop stop;
  ReadyRanks ranks(transport, hello);
  RecordOutput output(job, model, rules, inputs.size());
  ScanOptions options;
  options.max_pixels = job.max_pixels;
  options.batch = job.batch;
  options.stop = stop.token();
  Scan scan(std::move(inputs), std::make_unique<SplitWork>(transport, model, job.options, job.detector),
            std::move(options));
  output.print_header();
  for (ScanEvent event; scan.next(event);) {
    stop.write(event.from, [&] {
      print_event(output, event, [&] {
        if (job.timing) output.progress().frame_took(event.seconds);
        output.print_record(record_of(event, rules), scan.progress().fraction);
      });
    });
  }
  if (stop_requested()) stop.leave();
  ranks.end(MessageKind::kEnd);
  return output.finish();
}

}  // namespace winnow::mpi
