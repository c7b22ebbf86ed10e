#include "detecting/detect_run.h"

#include <winnow/error.h>
#include <winnow/scan.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "commands.h"
#include "detecting/covered_copies.h"
#include "detecting/job_search.h"
#include "detecting/record_output.h"
#include "detecting/review_page.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

// Whether the folder takes another small file.
bool takes_files(const std::string& folder) {
  constexpr std::size_t kBytes = 65'536;
  const std::filesystem::path probe = std::filesystem::path(folder) / ".winnow-probe.part";
  std::ofstream file(probe, std::ios::binary);
  file << std::string(kBytes, ' ') << std::flush;
  const bool written = file.good();
  file.close();
  std::error_code error;
  std::filesystem::remove(probe, error);
  return written;
}

class DetectRun {
 public:
  DetectRun(const DetectJob& job, const DetectorModel& model, const std::optional<Landmarks>& landmarks,
            std::vector<Input> inputs)
      : job_(job),
        search_(make_job_search(job, model, landmarks)),
        rules_(search_.rules),
        output_(job, model, rules_, inputs.size()),
        scan_(std::move(inputs), std::move(search_.work), scan_options()) {
    if (job.out.empty()) return;
    annotator_.emplace(AnnotatorOptions{job.out, job.blur, job.every}, stop_.token());
    if (!job.review.empty())
      review_.emplace(job.review, [this](const std::string& problem) { output_.report(problem); });
    if (!job.blur || rules_.points == 0) return;
    FrameReaderOptions reader;
    reader.color = true;
    reader.every = job.every;
    reader.max_pixels = job.max_pixels;
    covered_.emplace(*annotator_, job.follow, job.detector, reader, stop_.token());
    covered_->watch(
        [this](std::size_t written, std::size_t frames) { output_.progress().copied(written, frames); });
    covered_->print([this](const std::string& line) { output_.print_lines(line); });
    covered_->written([this](const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers) {
      frame_hidden(input, frame, covers);
    });
  }

  int run() {
    output_.print_header();
    try {
      for (ScanEvent event; scan_.next(event);) {
        tell_note();
        handle(event);
      }
      tell_note();
      if (current_ != nullptr) finish_input(*current_, false);
    } catch (const OutputClosed&) {
      if (annotator_ && current_ != nullptr) end_early(*current_);
      if (review_) review_->finish();
      throw;
    }
    const bool reviewed = review_ && review_->finish();
    const int code = output_.finish();
    if (reviewed && !job_.quiet) say("what the copies hide: see " + printable(job_.review) + "/index.html");
    return code;
  }

 private:
  ScanOptions scan_options() {
    ScanOptions options;
    options.color = !job_.out.empty();
    options.every = job_.every;
    options.max_pixels = job_.max_pixels;
    options.batch = job_.batch;
    options.stop = stop_.token();
    options.make_state = std::move(search_.make_state);
    return options;
  }

  // Says once why a device does not help.
  void tell_note() {
    const std::string& of_scan = scan_.progress().note;
    output_.tell(of_scan.empty() && covered_ ? covered_->note() : of_scan);
  }

  void handle(ScanEvent& event) {
    switch (event.kind) {
      case FrameEvent::Kind::kFrame:
        if (job_.timing) output_.progress().frame_took(event.seconds);
        handle_frame(event);
        break;
      case FrameEvent::Kind::kProblem:
        report(*event.from, event.problem);
        break;
      case FrameEvent::Kind::kEnd:
        finish_input(*event.from, true);
        output_.input_done();
        break;
    }
  }

  void handle_frame(ScanEvent& event) {
    FrameRecord record = record_of(event, rules_);
    current_ = event.from;
    has_frames_ = true;
    const bool json = job_.format == ResultFormat::kJsonLines;
    const auto* const followed = std::any_cast<std::vector<Followed>>(&event.answer);
    if (covered_ && followed != nullptr) {
      std::string line;  // printed when its covers are known
      if (json) std::swap(line, record.lines);
      output_.print_record(record, scan_.progress().fraction);
      annotate(*event.from, input_name(*event.from),
               [&] { cover(*event.from, event, *followed, std::move(line)); });
      return;
    }
    if (annotator_) {
      std::vector<FaceCover> covers;
      if (job_.blur) covers = covers_of(event);
      const bool tells_covers = covered_.has_value();
      std::string copy;
      annotate(*event.from, frame_name(event), [&] {
        write_copy(event, followed, covers);
        copy = annotator_->copy();
      });
      if (json && tells_covers) record.lines = with_covers(std::move(record.lines), covers);
      if (json && !copy.empty()) record.lines = with_copy(std::move(record.lines), copy);
    }
    output_.print_record(record, scan_.progress().fraction);
  }

  // What hides the objects of a frame alone: all that the search found.
  static std::vector<FaceCover> covers_of(const ScanEvent& event) {
    const auto* const shapes = std::any_cast<std::vector<Shape>>(&event.answer);
    std::vector<FaceCover> covers;
    for (std::size_t i = 0; i < event.found.objects.size(); ++i)
      covers.push_back({blurred_box(event.found.objects[i].box, shapes == nullptr ? Shape{} : (*shapes)[i],
                                    event.picture.gray.size()),
                        static_cast<int>(i) + 1, 1, CoverReason::kFound});
    return covers;
  }

  // `covers`: what is hidden in a frame alone, if objects are blurred.
  void write_copy(ScanEvent& event, const std::vector<Followed>* followed,
                  const std::vector<FaceCover>& covers) {
    const Input& input = *event.from;
    if (job_.blur) {
      if (annotator_->write_covered(input, event, covers)) frame_hidden(input, event, covers);
      return;
    }
    if (followed != nullptr) {
      annotator_->write_followed(input, event, *followed);
    } else if (rules_.points > 0) {
      annotator_->write(input, event, event.found.objects,
                        std::any_cast<const std::vector<Shape>&>(event.answer));
    } else {
      annotator_->write(input, event, event.found.objects);
    }
    is_copied_ = true;
  }

  // Counts what is hidden in a frame whose copy was written, and shows it on the page.
  void frame_hidden(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers) {
    hidden_ += covers.size();
    is_copied_ = true;
    if (review_) review_->add(input, frame, covers, annotator_->copy());
  }

  // Reports what could not be read or written of an input.
  void report(const Input& input, const std::string& problem) {
    output_.report(problem);
    if (review_) review_->add_problem(input, problem);
  }

  // `what`: the input or frame whose copy is written. Returns false if the copy cannot be written.
  template <class Work>
  bool annotate(const Input& input, const std::string& what, Work work) {
    try {
      work();
    } catch (const Error& error) {
      // A full disk is full for the next file, too.
      const bool is_last = error.code() == ErrorCode::kIo && !takes_files(job_.out);
      failed_ = true;
      report(input,
             fmt::format("{}: its {} copy cannot be written: {}{}", what, job_.blur ? "blurred" : "marked",
                         error.what(), is_last ? "; the answers go on without copies" : ""));
      if (is_last) end_copies(input);
      return false;
    }
    return true;
  }

  void end_copies(const Input& input) {
    if (covered_ && covered_->is_open()) covered_->finish(input, true);
    covered_.reset();
    annotator_->drop_input();
    annotator_.reset();
  }

  // Nobody reads the lines any more, so the rest of the input is not copied.
  void end_early(const Input& input) {
    if (input.kind != InputKind::kPicture)
      tell_stop(input, fmt::format(": nobody reads standard output any more: {}",
                                   is_copied_ ? "its copy ends early" : "no copy was written"));
    if (review_) review_->finish_input(input, false);
  }

  void cover(const Input& input, FrameEvent& frame, std::span<const Followed> faces, std::string line) {
    if (covered_->add(input, frame, faces, std::move(line)) && !job_.quiet)
      say(fmt::format(
          "{}: cannot be read again: its blurred copy is {} frames late, and hides a face at most "
          "{} frames before it is found (--gap)",
          input_name(input), job_.follow.gap, job_.follow.gap));
  }

  // `ended`: whether the input has no further frames. Else a stop was requested.
  void finish_input(const Input& input, bool ended) {
    const bool lost = !annotator_ && !failed_ && review_.has_value();
    if (lost)
      review_->add_problem(input, input_name(input) + ": no copy was written, since the copies ended before");
    const bool whole = annotator_ && finish_copy(input) && !failed_ && ended;
    if (review_) review_->finish_input(input, whole);
    if (job_.blur && has_frames_ && whole && hidden_ == 0)
      say(input_name(input) + ": nothing was found, so nothing is hidden in its copy; look at the copy");
    has_frames_ = failed_ = is_copied_ = false;
    hidden_ = 0;
    current_.reset();
  }

  // Returns whether all frames are in the copy.
  bool finish_copy(const Input& input) {
    const bool again = covered_ && covered_->will_read_again();
    const bool unread = again && stop_requested();
    if (unread) tell_stop(input, ": stopped before it was read again: no blurred copy was written");
    bool done = true, finished = true;
    do {
      done = annotate(input, input_name(input), [&] {
        if (covered_) finished = covered_->finish(input, unread);
        annotator_->finish_input();
      });
    } while (covered_ && covered_->is_open());
    if (!annotator_) return false;
    if (!done) annotator_->drop_input();
    if (again && !unread && !failed_ && !finished)
      tell_stop(input, ": stopped while its blurred copy was written: the copy ends early");
    return finished;
  }

  // Says what a stop means for the copy of this input.
  void tell_stop(const Input& input, const std::string& words) {
    say(input_name(input) + words);
    if (review_) review_->add_problem(input, input_name(input) + words);
  }

  const DetectJob& job_;
  JobSearch search_;  // its parts go into the scan
  const RecordRules rules_;
  StopRelay stop_;
  RecordOutput output_;
  Scan scan_;
  std::optional<Annotator> annotator_;
  std::optional<CoveredCopies> covered_;  // writes the copies if followed faces are blurred
  std::optional<ReviewPage> review_;
  std::shared_ptr<const Input> current_;  // the input whose frame was answered last
  // What holds for the current input: frames came, its copy failed, a frame is in its copy.
  bool has_frames_ = false, failed_ = false, is_copied_ = false;
  std::size_t hidden_ = 0;  // how many covers the frames of its copy have so far
};

}  // namespace

void require_merged(bool raw, std::optional<int> min_neighbors) {
  require(
      !raw && min_neighbors.value_or(1) > 0,
      "faces of a video are followed in merged boxes: leave out --raw, and give --min-neighbors 1 or more");
}

int run_detect(const DetectJob& job, std::vector<Input> inputs) {
  watch_for_stop();
  std::optional<Landmarks> landmarks;
  if (!job.landmarks.empty()) landmarks = load_landmarks(job.landmarks);
  return DetectRun(job, DetectorModel::load(job.model), landmarks, std::move(inputs)).run();
}

}  // namespace winnow::cli
