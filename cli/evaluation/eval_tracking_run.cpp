#include "evaluation/eval_tracking_run.h"

#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>

#include <algorithm>
#include <vector>

#include "commands.h"
#include "evaluation/eval_pictures.h"
#include "evaluation/eval_tracking_summary.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

BoxTrack read_result(const TrackingJob& job, const TrackingFiles& tracker, std::size_t sequence,
                     const MarkedSequence& marked) {
  BoxTrackOptions options;
  options.format = tracker.format;
  options.or_else = box_track_format_name(marked.truth.format);
  options.id = job.sequences[sequence].id;
  return read_box_track(tracker.files[sequence], options);
}

TrackingEvaluation judge(const TrackingJob& job, const std::string& file, const BoxTrack& result,
                         const MarkedSequence& marked) {
  try {
    return evaluate_tracking(marked.truth, result, job.rule);
  } catch (const Error& error) {
    throw error.in_file(file);
  }
}

// Whether less than half of the box lies in the picture.
bool is_outside(const RealBox& box, Size picture) {
  const auto within = [](double from, double length, int side) {
    return std::max(0.0, std::min(from + length, static_cast<double>(side)) - std::max(from, 0.0));
  };
  return 2 * within(box.x, box.width, picture.width) * within(box.y, box.height, picture.height) <
         box.width * box.height;
}

// Doubts boxes of text that lie outside of the frames: their format may be another one.
void doubt_boxes(const std::string& file, const BoxTrack& track, Size picture) {
  if (picture == Size{} || track.format == BoxTrackFormat::kJson || track.format == BoxTrackFormat::kCsv)
    return;
  std::size_t boxes = 0, outside = 0;
  for (const FrameBox& frame : track.frames) {
    if (!frame.box) continue;
    ++boxes;
    outside += is_outside(*frame.box, picture) ? 1 : 0;
  }
  if (outside > 0)
    say(printable(fmt::format(
        "{}: {} of {} boxes lie mostly outside of the frames, which have {} x {} pixels; is {} its format?",
        file, outside, boxes, picture.width, picture.height, box_track_format_name(track.format))));
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
  for (const TrackingFiles& files : job.trackers) report.trackers.push_back({files.name, files.files, {}});
  for (std::size_t i = 0; i < report.sequences.size(); ++i) {
    const MarkedSequence& marked = report.sequences[i];
    std::vector<BoxTrack> results;
    Size picture;  // of the frames, as lines of JSON state it
    for (std::size_t tracker = 0; tracker < job.trackers.size(); ++tracker) {
      results.push_back(read_result(job, job.trackers[tracker], i, marked));
      const std::string& file = job.trackers[tracker].files[i];
      report.trackers[tracker].sequences.push_back(judge(job, file, results.back(), marked));
      picture = {std::max(picture.width, results.back().picture.width),
                 std::max(picture.height, results.back().picture.height)};
    }
    if (job.quiet) continue;
    doubt_boxes(marked.file, marked.truth, picture);
    for (std::size_t tracker = 0; tracker < results.size(); ++tracker)
      doubt_boxes(job.trackers[tracker].files[i], results[tracker], picture);
  }
  check_folder(job.out, tracking_eval_files(job.out));
  write_tracking_eval(report, job.out);
  if (!job.quiet)
    print(job.json ? tracking_summary_json(report, job.out) : tracking_summary_text(report, job.out));
  return kExitDone;
}

}  // namespace winnow::cli
