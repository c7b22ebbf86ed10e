#include "detecting/record_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "commands.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

void print_line(const std::string& text) {
  if (text.empty()) return;
  clear_status();
  print(text);
}

// Whether options of the user may drop objects that the model's own values keep.
bool drops_objects(const DetectOptions& options, const SearchDefaults& model) {
  return options.region != Box{} || options.min_size != Size{} || options.max_size != Size{} ||
         options.min_neighbors.value_or(model.min_neighbors) > model.min_neighbors ||
         options.min_score.value_or(model.min_score) > model.min_score ||
         options.min_support.value_or(model.min_support) > model.min_support;
}

}  // namespace

RecordOutput::RecordOutput(const DetectJob& job, const DetectorModel& model, const RecordRules& rules,
                           std::size_t inputs)
    : job_(job),
      rules_(rules),
      enlarge_(job.options.enlarge.value_or(model.search_defaults().enlarge)),
      drops_(drops_objects(job.options, model.search_defaults())),
      progress_(inputs, rules.points > 0 ? "face" : "object", job.quiet) {
  progress_.left_out(job.left_out);
}

void RecordOutput::print_header() { print_line(record_header(rules_)); }

void RecordOutput::print_lines(const std::string& lines) { print_line(lines); }

void RecordOutput::print_record(const FrameRecord& record, double fraction) {
  print_line(record.lines);
  large_window_ = large_window_ || record.large_window;
  progress_.left_unread(record.unread);
  // A face of a video counts once.
  const int new_faces = std::max(0, record.last_id - last_id_);
  last_id_ += new_faces;
  progress_.frame_done(record.objects + static_cast<std::size_t>(new_faces), fraction);
}

void RecordOutput::report(const std::string& problem) {
  progress_.problem_found();
  say(problem);
}

void RecordOutput::tell(const std::string& note) {
  if (note.empty() || std::exchange(told_, true)) return;
  const bool chosen = job_.detector.backend == BackendKind::kAuto;
  say(note + (chosen ? "; the processor goes on, and the answers stay the same" : ""));
}

void RecordOutput::input_done() {
  last_id_ = 0;
  progress_.input_done();
}

int RecordOutput::finish() {
  progress_.finish();
  suggest_enlarging();
  if (stop_requested()) return stop_exit_code();
  return progress_.problems() > 0 ? kExitProblem : kExitDone;
}

void RecordOutput::suggest_enlarging() const {
  if (job_.quiet || !large_window_ || progress_.objects() > 0 || stop_requested()) return;
  if (enlarge_ >= 4 || drops_) return;
  say(fmt::format(
      "nothing was found; the model's window is {}x{} pixels, and smaller objects need --enlarge {}",
      rules_.window.width, rules_.window.height, enlarge_ < 2 ? 2 : 4));
}

}  // namespace winnow::cli
