#include "detect_run.h"

#include <winnow/error.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "arguments.h"
#include "commands.h"
#include "progress.h"
#include "search_arguments.h"
#include "standard_output.h"
#include "stop.h"
#include "terminal.h"

namespace winnow::cli {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{256} << 20;
// Limits of a batch whose size the user did not choose.
constexpr int kMostFrames = 64;
constexpr double kMostSeconds = 0.25;

double part_done(const FrameEvent& frame) {
  if (!frame.video) return -1;
  if (frame.video->frames <= 0) return -1;
  return static_cast<double>(frame.index + 1) / static_cast<double>(frame.video->frames);
}

class DetectRun {
 public:
  DetectRun(const DetectJob& job, const std::vector<Input>& inputs)
      : job_(job),
        inputs_(inputs),
        trained_(DetectorModel::load(job.model)),
        options_(job.options),
        detector_(std::in_place, trained_, job.detector),
        model_(model_name(trained_.card(), job.model)),
        progress_(inputs.size(), job.quiet),
        batch_(job.batch) {
    check_windows(trained_, model_, options_);
    if (job.usual_border) options_.border = trained_.usual_border();
    if (!batch_ && job.timing) batch_ = 1;  // --timing wants the time of each frame, not a mean
    if (!job.out.empty()) annotator_.emplace(AnnotatorOptions{job.out, job.blur, job.every}, stop_.token());
  }

  int run() {
    print_line(result_header(job_.format, job_.timing));
    FrameReader reader(inputs_,
                       {annotator_.has_value() || (trained_.reads_color() && !options_.gray), job_.every,
                        job_.max_pixels, reader_threads(detector_->threads())},
                       stop_.token());
    for (FrameEvent event; reader.next(event); event = FrameEvent()) {
      take(std::move(event));
      if (!batch_ && !reader.ready()) flush();
    }
    // Frames that were read before a stop are still answered.
    flush();
    if (!inputs_.empty()) finish_input(current_);
    progress_.finish();
    if (stop_requested()) return stop_exit_code();
    return progress_.problems() > 0 ? kExitProblem : kExitDone;
  }

 private:
  // Limits the wait for a stop, and for the reader of the lines, to a quarter of a second or one frame.
  std::size_t most_frames() const {
    if (batch_) return static_cast<std::size_t>(*batch_);
    return static_cast<std::size_t>(
        std::clamp(kMostSeconds / std::max(seconds_, 1e-6), 1.0, static_cast<double>(kMostFrames)));
  }

  void take(FrameEvent event) {
    if (event.kind == FrameEvent::Kind::kFrame) {
      ++waiting_frames_;
      waiting_bytes_ += event.bytes();
    }
    waiting_.push_back(std::move(event));
    const bool full = waiting_frames_ >= most_frames() || waiting_bytes_ >= kBatchBytes;
    if (full || waiting_frames_ == 0) flush();
  }

  // Searches the waiting frames in one call. Then handles each waiting event, in order.
  void flush() {
    views_.clear();
    searched_.clear();
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      FrameEvent& event = waiting_[i];
      if (event.kind != FrameEvent::Kind::kFrame) continue;
      const PictureView view = event.picture.view();
      if (options_.region != Box{} && view.crop(options_.region).empty()) {
        event.kind = FrameEvent::Kind::kProblem;
        event.problem = describe(event) + ": the region of interest lies outside the picture";
        continue;
      }
      views_.push_back(view);
      searched_.push_back(i);
    }
    search();
    for (FrameEvent& event : waiting_) handle(event);
    waiting_.clear();
    waiting_frames_ = waiting_bytes_ = 0;
  }

  void search() {
    results_.resize(views_.size());
    if (views_.empty()) return;
    const auto start = std::chrono::steady_clock::now();
    if (!search_together()) search_one_by_one();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    seconds_ = spent.count() / static_cast<double>(views_.size());
  }

  // A device's detector cannot go on after an error, such as too little memory for one picture. The next
  // picture gets a new detector.
  Detector& detector() {
    if (!detector_) detector_.emplace(trained_, job_.detector);
    return *detector_;
  }
  void drop_failed(const Error& error) {
    if (error.code() == ErrorCode::kDevice) detector_.reset();
  }

  bool search_together() {
    try {
      detector().detect(views_, options_, results_);
      return true;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kUsage || error.code() == ErrorCode::kBackend) throw;
      drop_failed(error);
    } catch (const std::bad_alloc&) {
    }
    return false;
  }

  // One of the pictures cannot be searched. Finds that picture, and answers for the others.
  void search_one_by_one() {
    results_.resize(views_.size());
    for (std::size_t i = 0; i < views_.size(); ++i) {
      FrameEvent& event = waiting_[searched_[i]];
      std::string problem;
      try {
        detector().detect(views_[i], options_, results_[i]);
      } catch (const Error& error) {
        problem = error.what();
        drop_failed(error);
      } catch (const std::bad_alloc&) {
        problem = "there is not enough memory to search it";
      }
      if (problem.empty()) continue;
      event.kind = FrameEvent::Kind::kProblem;
      event.problem = describe(event) + ": " + problem;
    }
  }

  void handle(FrameEvent& event) {
    switch (event.kind) {
      case FrameEvent::Kind::kFrame:
        answer(event);
        break;
      case FrameEvent::Kind::kProblem:
        report(event.problem);
        break;
      case FrameEvent::Kind::kEnd:
        finish_input(event.input);
        progress_.input_done();
        break;
    }
  }

  void answer(FrameEvent& event) {
    const auto place =
        std::find(searched_.begin(), searched_.end(), static_cast<std::size_t>(&event - waiting_.data()));
    Detections& found = results_[static_cast<std::size_t>(place - searched_.begin())];
    FrameResult result;
    result.source = inputs_[event.input].path;
    result.frame = event.index;
    result.time = event.time;
    result.picture = event.picture.gray.size();
    result.model = model_;
    result.objects = found.objects;
    result.backend = found.backend;
    result.seconds = seconds_;
    print_line(result_lines(result, job_.format, job_.timing));
    current_ = event.input;
    if (annotator_)
      annotate(describe(event), [&] { annotator_->write(inputs_[event.input], event, found.objects); });
    progress_.frame_done(found.objects.size(), part_done(event));
  }

  // `what`: the input or frame whose copy is written.
  template <class Work>
  void annotate(const std::string& what, Work work) {
    try {
      work();
    } catch (const Error& error) {
      // A disk that is full for one file is full for the next one, too.
      if (error.code() == ErrorCode::kIo) throw;
      report(what + ": its annotated copy cannot be written: " + error.what());
    }
  }

  void finish_input(std::size_t input) {
    if (annotator_) annotate(input_name(inputs_[input]), [&] { annotator_->finish_input(); });
  }

  void report(const std::string& problem) {
    progress_.problem_found();
    say(problem);
  }

  std::string describe(const FrameEvent& event) const {
    const std::string name = input_name(inputs_[event.input]);
    const bool many = event.video || inputs_[event.input].kind == InputKind::kStream;
    return many ? name + ", frame " + std::to_string(event.index) : name;
  }

  static void print_line(const std::string& text) {
    if (text.empty()) return;
    clear_status();
    print(text);
  }

  const DetectJob& job_;
  const std::vector<Input>& inputs_;
  DetectorModel trained_;
  DetectOptions options_;
  std::optional<Detector> detector_;
  std::string model_;
  Progress progress_;
  std::optional<int> batch_;
  StopRelay stop_;
  std::optional<Annotator> annotator_;
  std::vector<FrameEvent> waiting_;
  std::size_t waiting_frames_ = 0, waiting_bytes_ = 0;
  std::size_t current_ = 0;  // the input of the frame that was answered last
  std::vector<PictureView> views_;
  std::vector<std::size_t> searched_;  // the place of each view in `waiting_`
  std::vector<Detections> results_;
  double seconds_ = kMostSeconds;  // for one frame, in the last call; the first call has one frame
};

}  // namespace

int run_detect(const DetectJob& job, const std::vector<Input>& inputs) {
  watch_for_stop();
  return DetectRun(job, inputs).run();
}

}  // namespace winnow::cli
