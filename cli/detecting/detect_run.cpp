#include "detecting/detect_run.h"

#include <winnow/error.h>
#include <winnow/scan.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "commands.h"
#include "detecting/covered_copies.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/progress.h"
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

class DetectRun {
 public:
  DetectRun(const DetectJob& job, const DetectorModel& model, const std::optional<Landmarks>& landmarks,
            std::vector<Input> inputs)
      : job_(job),
        rules_{job.format, job.timing, model_name(model.card(), job.model), model.window(),
               landmarks ? landmarks->points() : 0},
        enlarge_(job.options.enlarge.value_or(model.search_defaults().enlarge)),
        drops_(drops_objects(job.options, model.search_defaults())),
        scan_(make_scan(std::move(inputs), model, landmarks)),
        progress_(scan_.progress().inputs, landmarks ? "face" : "object", job.quiet) {
    if (job.out.empty()) return;
    annotator_.emplace(AnnotatorOptions{job.out, job.blur, job.every}, stop_.token());
    if (!job.blur || rules_.points == 0) return;
    FrameReaderOptions reader;
    reader.color = true;
    reader.every = job.every;
    reader.max_pixels = job.max_pixels;
    covered_.emplace(*annotator_, job.follow.gap, job.detector, reader, stop_.token());
    covered_->watch([this](std::size_t written, std::size_t frames) { progress_.copied(written, frames); });
  }

  int run() {
    print_line(record_header(rules_));
    for (ScanEvent event; scan_.next(event);) {
      tell_note();
      handle(event);
    }
    tell_note();
    if (current_ != nullptr) finish_input(*current_);
    progress_.finish();
    suggest_enlarging();
    if (stop_requested()) return stop_exit_code();
    return progress_.problems() > 0 ? kExitProblem : kExitDone;
  }

 private:
  Scan make_scan(std::vector<Input> inputs, const DetectorModel& model,
                 const std::optional<Landmarks>& landmarks) const {
    check_windows(model, rules_.model, job_.options);
    ScanOptions options = scan_options();
    if (!landmarks)
      return Scan(std::move(inputs), make_detect_work(model, job_.options, job_.detector),
                  std::move(options));
    FollowOptions follow = job_.follow;
    follow.search = job_.options;
    FollowScan parts = make_follow_scan(model, *landmarks, follow, job_.detector);
    options.make_state = [&job = job_, make = std::move(parts.make_state)](const Input& input,
                                                                           const ScanEvent& first) {
      if (first.sequence) require_merged(job);  // a file whose name did not say that it is a video
      return make(input, first);
    };
    return Scan(std::move(inputs), std::move(parts.work), std::move(options));
  }

  ScanOptions scan_options() const {
    ScanOptions options;
    options.color = !job_.out.empty();
    options.every = job_.every;
    options.max_pixels = job_.max_pixels;
    options.batch = job_.batch;
    options.stop = stop_.token();
    return options;
  }

  // Says once why a device does not help.
  void tell_note() {
    const std::string& of_scan = scan_.progress().note;
    const std::string note = of_scan.empty() && covered_ ? covered_->note() : of_scan;
    if (told_ || note.empty()) return;
    told_ = true;
    const bool chosen = job_.detector.backend == BackendKind::kAuto;
    say(note + (chosen ? "; the processor goes on, and the answers stay the same" : ""));
  }

  void handle(ScanEvent& event) {
    switch (event.kind) {
      case FrameEvent::Kind::kFrame:
        write_answer(event);
        break;
      case FrameEvent::Kind::kProblem:
        report(event.problem);
        break;
      case FrameEvent::Kind::kEnd:
        finish_input(*event.from);
        progress_.input_done();
        break;
    }
  }

  void write_answer(ScanEvent& event) {
    const FrameRecord record = record_of(event, rules_);
    print_line(record.lines);
    large_window_ = large_window_ || record.large_window;
    current_ = event.from;
    annotate_frame(event);
    if (job_.timing) progress_.frame_took(event.seconds);
    progress_.frame_done(record.objects + count_new(record.last_id), scan_.progress().fraction);
  }

  void annotate_frame(ScanEvent& event) {
    if (!annotator_) return;
    const Input& input = *event.from;
    const auto* const followed = std::any_cast<std::vector<Followed>>(&event.answer);
    if (covered_ && followed != nullptr) {
      annotate(input_name(input), [&] { cover(input, event, *followed); });
      return;
    }
    annotate(frame_name(event), [&] {
      if (followed != nullptr) {
        annotator_->write_followed(input, event, *followed);
      } else if (rules_.points > 0) {
        annotator_->write(input, event, event.found.objects,
                          std::any_cast<const std::vector<Shape>&>(event.answer));
      } else {
        annotator_->write(input, event, event.found.objects);
      }
    });
  }

  // The number of faces that no earlier frame of the input showed. A face of a video counts once.
  std::size_t count_new(int last_id) {
    const int before = last_id_;
    last_id_ = std::max(last_id_, last_id);
    return static_cast<std::size_t>(last_id_ - before);
  }

  void suggest_enlarging() const {
    if (job_.quiet || !large_window_ || progress_.objects() > 0 || stop_requested()) return;
    if (enlarge_ >= 4 || drops_) return;
    say(fmt::format(
        "nothing was found; the model's window is {}x{} pixels, and smaller objects need --enlarge {}",
        rules_.window.width, rules_.window.height, enlarge_ < 2 ? 2 : 4));
  }

  // `what`: the input or frame whose copy is written. Returns false if the copy cannot be written.
  template <class Work>
  bool annotate(const std::string& what, Work work) {
    try {
      work();
    } catch (const Error& error) {
      // An error of the disk ends the run, because a full disk is full for the next file, too.
      if (error.code() == ErrorCode::kIo) throw;
      report(fmt::format("{}: its {} copy cannot be written: {}", what, job_.blur ? "blurred" : "marked",
                         error.what()));
      return false;
    }
    return true;
  }

  void cover(const Input& input, FrameEvent& frame, std::span<const Followed> faces) {
    if (covered_->add(input, frame, faces) && !job_.quiet)
      say(fmt::format(
          "{}: cannot be read again: its blurred copy is {} frames late, and hides a face at most "
          "{} frames before it is found (--gap)",
          input_name(input), job_.follow.gap, job_.follow.gap));
  }

  void finish_input(const Input& input) {
    last_id_ = 0;
    if (!annotator_) return;
    const bool stopped = stop_requested() && covered_ && covered_->will_read_again();
    if (stopped) say(input_name(input) + ": stopped before it was read again: no blurred copy was written");
    bool done = true;
    do {
      done = annotate(input_name(input), [&] {
        if (covered_) covered_->finish(input, stopped);
        annotator_->finish_input();
      });
    } while (covered_ && covered_->is_open());
    if (!done) annotator_->drop_input();
  }

  void report(const std::string& problem) {
    progress_.problem_found();
    say(problem);
  }

  const DetectJob& job_;
  const RecordRules rules_;
  const double enlarge_;       // `DetectOptions::enlarge`, or the model's default
  const bool drops_;           // what `drops_objects` returned
  bool large_window_ = false;  // of an answered frame
  bool told_ = false;          // whether `tell_note` said its note
  StopRelay stop_;
  Scan scan_;
  Progress progress_;
  std::optional<Annotator> annotator_;
  std::optional<CoveredCopies> covered_;  // writes the copies if followed faces are blurred
  std::shared_ptr<const Input> current_;  // the input whose frame was answered last
  int last_id_ = 0;                       // the highest number of a followed face of that input
};

Landmarks load_landmarks(const std::string& path) {
  try {
    return Landmarks::load(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFormat) throw;
    // If the file holds a valid model of another kind, the user named the wrong file: kUsage.
    std::optional<Model> other;
    try {
      other = Model::load(path);
    } catch (const Error&) {
    }
    if (!other) throw;
    throw Error(ErrorCode::kUsage, "--landmarks wants a model that marks points, and " + path + " is " +
                                       other->kind_words() + ", which " + other->does());
  }
}

}  // namespace

void require_merged(const DetectJob& job) {
  require(
      !job.options.raw && job.options.min_neighbors.value_or(1) > 0,
      "faces of a video are followed in merged boxes: leave out --raw, and give --min-neighbors 1 or more");
}

int run_detect(const DetectJob& job, std::vector<Input> inputs) {
  watch_for_stop();
  std::optional<Landmarks> landmarks;
  if (!job.landmarks.empty()) landmarks = load_landmarks(job.landmarks);
  return DetectRun(job, DetectorModel::load(job.model), landmarks, std::move(inputs)).run();
}

}  // namespace winnow::cli
