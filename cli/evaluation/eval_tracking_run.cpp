#include "evaluation/eval_tracking_run.h"

#include <winnow/error.h>

#include <utility>

#include "commands.h"
#include "evaluation/eval_pictures.h"
#include "evaluation/eval_tracking_summary.h"
#include "terminal/standard_output.h"

namespace winnow::cli {
namespace {

TrackingEvaluation judge(const TrackingJob& job, const TrackingFiles& tracker, std::size_t sequence,
                         const MarkedSequence& marked) {
  const std::string& file = tracker.files[sequence];
  BoxTrackOptions options;
  options.format = tracker.format;
  options.or_else = box_track_format_name(marked.truth.format);
  options.id = job.sequences[sequence].id;
  const BoxTrack result = read_box_track(file, options);
  try {
    return evaluate_tracking(marked.truth, result, job.rule);
  } catch (const Error& error) {
    throw error.in_file(file);
  }
}

}  // namespace

int run_tracking_eval(const TrackingJob& job) {
  TrackingReport report;
  if (!job.title.empty()) report.title = job.title;
  for (const TrackingSequence& sequence : job.sequences) {
    BoxTrackOptions options;
    options.format = sequence.format;
    report.sequences.push_back({sequence.name, sequence.file, read_box_track(sequence.file, options)});
  }
  for (const TrackingFiles& files : job.trackers) {
    EvaluatedTracker tracker{files.name, files.files, {}};
    for (std::size_t i = 0; i < report.sequences.size(); ++i)
      tracker.sequences.push_back(judge(job, files, i, report.sequences[i]));
    report.trackers.push_back(std::move(tracker));
  }
  check_folder(job.out, tracking_eval_files(job.out));
  write_tracking_eval(report, job.out);
  if (!job.quiet)
    print(job.json ? tracking_summary_json(report, job.out) : tracking_summary_text(report, job.out));
  return kExitDone;
}

}  // namespace winnow::cli
