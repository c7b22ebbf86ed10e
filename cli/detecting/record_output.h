// Prints the records of a job, and counts for the summary.
//
// In:     records, problems and ends of inputs, in their order.
// Out:    lines on standard output; a status line, problems, a summary and advice on standard error.
// Memory: counts alone.
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/detector_model.h>

#include <string>

#include "detecting/detect_run.h"
#include "terminal/progress.h"

namespace winnow::cli {

class RecordOutput {
 public:
  // `inputs`: how many there are.
  RecordOutput(const DetectJob& job, const DetectorModel& model, const RecordRules& rules,
               std::size_t inputs);

  void print_header();
  // Prints lines that were left out of their record.
  void print_lines(const std::string& lines);
  // `fraction`: of the input that is done.
  void print_record(const FrameRecord& record, double fraction);
  void report(const std::string& problem);
  // A note on a device, which is said once.
  void tell(const std::string& note);
  void input_done();
  // Ends the summary. Returns the exit code.
  int finish();
  Progress& progress() { return progress_; }

 private:
  void suggest_enlarging() const;

  const DetectJob& job_;
  const RecordRules rules_;
  const double enlarge_;       // `DetectOptions::enlarge`, or the model's default
  const bool drops_;           // whether options of the user may drop objects that the model's values keep
  bool large_window_ = false;  // of an answered frame
  bool told_ = false;
  int last_id_ = 0;  // the highest number of a followed face of the present input
  Progress progress_;
};

}  // namespace winnow::cli
