#include "detecting/detect_run.h"

#include <winnow/error.h>
#include <winnow/scan.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "commands.h"
#include "detecting/covered_copies.h"
#include "detecting/job_search.h"
#include "detecting/record_output.h"
#include "detecting/review_page.h"
#include "terminal/arguments.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

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
      if (review_) review_->add(input, frame, covers);
    });
  }

  int run() {
    output_.print_header();
    for (ScanEvent event; scan_.next(event);) {
      tell_note();
      handle(event);
    }
    tell_note();
    if (current_ != nullptr) finish_input(*current_);
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
        output_.report(event.problem);
        break;
      case FrameEvent::Kind::kEnd:
        finish_input(*event.from);
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
      annotate(input_name(*event.from), [&] { cover(*event.from, event, *followed, std::move(line)); });
      return;
    }
    if (annotator_) {
      std::optional<std::vector<FaceCover>> covers;
      if (covered_) covers = covers_of(event);
      std::string copy;
      annotate(frame_name(event), [&] {
        write_copy(event, followed, covers);
        copy = annotator_->copy();
      });
      if (json && covers) record.lines = with_covers(std::move(record.lines), *covers);
      if (json && !copy.empty()) record.lines = with_copy(std::move(record.lines), copy);
    }
    output_.print_record(record, scan_.progress().fraction);
  }

  // The covers of a picture alone: all faces that the search found.
  static std::vector<FaceCover> covers_of(const ScanEvent& event) {
    const auto& shapes = std::any_cast<const std::vector<Shape>&>(event.answer);
    std::vector<FaceCover> covers;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      covers.push_back({blurred_box(event.found.objects[i].box, shapes[i], event.picture.gray.size()),
                        static_cast<int>(i) + 1, 1, CoverReason::kFound});
    return covers;
  }

  // `covers`: what is hidden in a picture alone, if faces are hidden.
  void write_copy(ScanEvent& event, const std::vector<Followed>* followed,
                  const std::optional<std::vector<FaceCover>>& covers) {
    const Input& input = *event.from;
    if (covers) {
      hidden_ += static_cast<std::int64_t>(covers->size());
      if (annotator_->write_covered(input, event, *covers) && review_) review_->add(input, event, *covers);
      return;
    }
    if (job_.blur) hidden_ += static_cast<std::int64_t>(event.found.objects.size());
    if (followed != nullptr) {
      annotator_->write_followed(input, event, *followed);
    } else if (rules_.points > 0) {
      annotator_->write(input, event, event.found.objects,
                        std::any_cast<const std::vector<Shape>&>(event.answer));
    } else {
      annotator_->write(input, event, event.found.objects);
    }
  }

  // `what`: the input or frame whose copy is written. Returns false if the copy cannot be written.
  template <class Work>
  bool annotate(const std::string& what, Work work) {
    try {
      work();
    } catch (const Error& error) {
      // A full disk is full for the next file, too.
      const bool is_last = error.code() == ErrorCode::kIo;
      output_.report(fmt::format("{}: its {} copy cannot be written: {}{}", what,
                                 job_.blur ? "blurred" : "marked", error.what(),
                                 is_last ? "; the answers go on without copies" : ""));
      if (review_) review_->copy_failed();
      if (is_last) end_copies();
      return false;
    }
    return true;
  }

  void end_copies() {
    if (covered_ && covered_->is_open()) covered_->finish(*current_, true);
    covered_.reset();
    annotator_->drop_input();
    annotator_.reset();
    if (review_) review_->finish_input(*current_, false);
    current_.reset();
  }

  void cover(const Input& input, FrameEvent& frame, std::span<const Followed> faces, std::string line) {
    if (covered_->add(input, frame, faces, std::move(line)) && !job_.quiet)
      say(fmt::format(
          "{}: cannot be read again: its blurred copy is {} frames late, and hides a face at most "
          "{} frames before it is found (--gap)",
          input_name(input), job_.follow.gap, job_.follow.gap));
  }

  void finish_input(const Input& input) {
    if (!annotator_) return;
    const bool stopped = stop_requested() && covered_ && covered_->will_read_again();
    if (stopped) say(input_name(input) + ": stopped before it was read again: no blurred copy was written");
    const bool again = covered_ && covered_->will_read_again() && !stopped;
    bool done = true;
    do {
      done = annotate(input_name(input), [&] {
        if (covered_) covered_->finish(input, stopped);
        annotator_->finish_input();
      });
    } while (covered_ && covered_->is_open());
    if (!annotator_) return;
    if (!done) annotator_->drop_input();
    if (again && done && stop_requested())
      say(input_name(input) + ": stopped while its blurred copy was written: the copy ends early");
    if (review_) review_->finish_input(input, !stop_requested());
    tell_if_open(input, done && !stop_requested());
    current_.reset();
  }

  // Says that nothing was hidden in this input. `done`: its copy is whole.
  void tell_if_open(const Input& input, bool done) {
    const std::int64_t hidden = hidden_ + (covered_ ? covered_->hidden() : 0);
    const bool is_open = hidden == std::exchange(told_, hidden);
    if (std::exchange(has_frames_, false) && job_.blur && done && is_open)
      say(input_name(input) + ": nothing was found, so nothing is hidden in its copy; look at the copy");
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
  std::int64_t hidden_ = 0;               // how many covers pictures got
  std::int64_t told_ = 0;                 // how many covers there were after the last input
  bool has_frames_ = false;               // whether the current input had a frame
  std::shared_ptr<const Input> current_;  // the input whose frame was answered last
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
