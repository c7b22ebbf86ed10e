// Gathers frames into batches, passes them to the work, and gives the events in order, as winnow/scan.h
// declares; its opening comment holds here.
#include <winnow/scan.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#include <winnow/error.h>

#include "backend/auto_backends.h"
#include "scan/answer_frames.h"
#include "scan/lane_run.h"
#include "scan/laned_work.h"

namespace winnow {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{256} << 20;
// The most frames and seconds of a batch whose size the caller did not choose.
constexpr int kMostFrames = 64;
constexpr double kMostSeconds = 0.25;
// The most problems and ends in a batch. Without a limit, an archive of broken files would fill one batch.
constexpr std::size_t kMostProblemsAndEnds = 256;

// How long a frame takes among others, as a part of the time that it takes alone, on all threads.
constexpr double kAloneShare = .8;
// While lanes may pay, so many batches have one frame. The first frame is slow, whatever it costs later, so the
// least time counts, and the scan knows early what its frames cost.
constexpr int kFirstFrames = 2;

// What a list tells of its inputs. The values that are here are those for a source, of which nothing is known.
struct KnownInputs {
  std::size_t count = 0;  // 0: unknown
  bool pictures = true;   // whether there are pictures
  bool single = false;    // whether there is nothing but one picture
};

}  // namespace

ScanWork::~ScanWork() = default;
ScanState::~ScanState() = default;

struct Scan::State {
  // `from`: a list or a source of inputs.
  template <class Inputs>
  State(Inputs from, const KnownInputs& of_inputs, std::unique_ptr<ScanWork> does, ScanOptions chosen)
      : known(of_inputs),
        work(std::move(does)),
        options(std::move(chosen)),
        forward_stop(options.stop, [this] { stop_reading.request_stop(); }),
        reader(std::move(from), reading(), stop_reading.get_token()) {
    progress.inputs = known.count;
    if (const auto* laned = dynamic_cast<const LanedWork*>(work.get())) lanes = laned->lanes();
  }
  FrameReaderOptions reading() const {
    FrameReaderOptions read;
    read.color = options.color || (work != nullptr && work->reads_color());
    read.every = options.every;
    read.max_pixels = options.max_pixels;
    read.threads = reader_threads(work != nullptr ? work->threads() : 1);
    return read;
  }

  bool next(ScanEvent& event);

  bool gather();
  std::size_t most_frames() const;
  bool is_full() const;
  void answer();
  bool lanes_pay() const;
  double frames_after(const ScanEvent& event) const;
  void open_lanes();
  void pass_state(ScanEvent& event);
  void count(const ScanEvent& event);
  static void make_problem(ScanEvent& event, const std::string& why) {
    event.kind = FrameEvent::Kind::kProblem;
    event.problem = frame_name(event) + ": " + why;
    event.found = {};
    event.answer.reset();
  }

  const KnownInputs known;
  const std::unique_ptr<ScanWork> work;
  const ScanOptions options;
  std::stop_source stop_reading;
  std::stop_callback<std::function<void()>> forward_stop;
  FrameReader reader;
  Lanes lanes;                    // not open yet; empty for work without lanes, and once they are open
  std::unique_ptr<LaneRun> open;  // answers all events after `batch`
  double least_seconds = 0;       // the work's least seconds for a frame so far; 0 before the first batch
  double worked = 0;              // the work's seconds so far
  double frames_left = 0;         // that are known to come after `batch`
  int batches = 0;                // batches with frames so far
  std::vector<ScanEvent> batch;   // gathered and answered events; `next` has given the first `given` of them
  std::size_t given = 0;
  std::size_t frames = 0, bytes = 0;  // the number of frames in `batch`, and the bytes of their pictures
  std::vector<ScanEvent*> to_answer;  // the frames in `batch`
  std::vector<Detections> spare;      // results whose memory is used again, at most one for each frame
  std::exception_ptr failure;         // ends the scan, once the events before index `failed` were given
  std::size_t failed = 0;             // the index in `batch` of the event that caused `failure`
  double seconds = kMostSeconds;      // the work's seconds a frame in the last batch; the first has 1 frame
  double state_seconds = 0;           // the states' seconds per frame in the last batch
  double of_states = 0;               // the states' seconds in this batch so far
  std::unique_ptr<ScanState> state;   // the present input's state
  bool has_state = false;             // whether `make_state` was called for the present input
  bool input_ended = false;           // whether the last event that was given was an end
  bool over = false;
  ScanProgress progress;
};

bool Scan::State::next(ScanEvent& event) {
  if (std::exchange(input_ended, false)) {
    state.reset();
    has_state = false;
  }
  if (over) return false;
  over = true;  // false again below, unless the scan ends or this call throws
  if (given == batch.size() && open == nullptr && lanes_pay()) open_lanes();
  if (given == batch.size() && open != nullptr) {
    if (!open->next(event)) return false;
    if (progress.note.empty()) progress.note = open->note();
  } else {
    if (given == batch.size() && !gather()) return false;
    if (failure != nullptr && given == failed) std::rethrow_exception(failure);
    if (work != nullptr && event.kind == FrameEvent::Kind::kFrame && spare.size() < to_answer.size())
      spare.push_back(emptied(std::move(event.found)));
    event = std::move(batch[given++]);
  }
  if (event.kind == FrameEvent::Kind::kFrame && !event.problem.empty())
    make_problem(event, std::exchange(event.problem, {}));
  pass_state(event);
  count(event);
  over = false;
  return true;
}

// Gathers and answers a batch. False if there are no more events.
bool Scan::State::gather() {
  if (frames > 0) state_seconds = std::exchange(of_states, 0.) / static_cast<double>(frames);
  batch.clear();
  given = frames = bytes = 0;
  while (!is_full()) {
    if (!batch.empty() && !options.batch && !reader.ready()) break;
    ScanEvent event;
    if (!reader.next(event)) break;
    if (event.kind == FrameEvent::Kind::kFrame) {
      ++frames;
      bytes += event.bytes();
    }
    batch.push_back(std::move(event));
  }
  if (!batch.empty()) frames_left = frames_after(batch.back());
  answer();
  return !batch.empty();
}

// If the caller chose no batch size, the frames of a batch take about a quarter of a second at most, unless
// one frame takes longer. So neither the caller nor a stop request waits long.
std::size_t Scan::State::most_frames() const {
  if (options.batch) return static_cast<std::size_t>(*options.batch);
  if (!lanes.lanes.empty() && !lanes.at_once && batches < kFirstFrames) return 1;
  return static_cast<std::size_t>(std::clamp(kMostSeconds / std::max(seconds + state_seconds, 1e-6), 1.0,
                                             static_cast<double>(kMostFrames)));
}

// A batch that begins with a problem or an end holds only that event. So the caller gets the event without
// waiting for a frame.
bool Scan::State::is_full() const {
  if (batch.empty()) return false;
  return frames == 0 || frames >= most_frames() || bytes >= kBatchBytes ||
         batch.size() >= frames + kMostProblemsAndEnds;
}

void Scan::State::answer() {
  to_answer.clear();
  for (ScanEvent& event : batch) {
    if (event.kind != FrameEvent::Kind::kFrame) continue;
    to_answer.push_back(&event);
    if (spare.empty()) continue;
    event.found = std::move(spare.back());
    spare.pop_back();
  }
  if (to_answer.empty() || work == nullptr) return;
  const EndedBy ended = answer_frames(*work, to_answer);
  if (ended.frame != nullptr) {
    failure = ended.why;
    failed = static_cast<std::size_t>(ended.frame - batch.data());
  }
  ++batches;
  const auto count = static_cast<double>(to_answer.size());
  seconds = to_answer.front()->seconds;
  worked += seconds * count;
  const double share = to_answer.size() == 1 ? kAloneShare * seconds : seconds;
  least_seconds = least_seconds > 0 ? std::min(least_seconds, share) : share;
}

// Whether lanes should open now. Lanes of the user's own backend open at once, unless a single picture is all
// there is. Other lanes open if the work that is left takes so long that they pay for their start.
bool Scan::State::lanes_pay() const {
  if (lanes.lanes.empty() || (lanes.pictures_only && !known.pictures)) return false;
  if (lanes.at_once) return !known.single;
  if (batches < kFirstFrames) return false;
  const double least = kWorthStarts * lanes.start_seconds;
  // Nobody knows how long a camera, a stream or a source goes on. It is expected to go on for as long as it did.
  return worked > least || least_seconds * frames_left > least;
}

// The number of frames that are known to come after an event: a picture for each further input, and the rest
// of a video.
double Scan::State::frames_after(const ScanEvent& event) const {
  double left = known.count > 0 ? static_cast<double>(known.count - event.input) - 1 : 0;
  if (event.video)
    left += std::max(0., static_cast<double>(event.video->frames - event.index)) / options.every;
  return left;
}

void Scan::State::open_lanes() {
  LaneRun::Plan plan;
  plan.batch = options.batch;
  plan.work_seconds = least_seconds;
  plan.stop_reading = stop_reading;
  plan.lanes = std::exchange(lanes, {});
  // The sessions of these lanes have the device's memory instead.
  if (plan.lanes.at_once) dynamic_cast<LanedWork&>(*work).rest();
  open = std::make_unique<LaneRun>(reader, *work, std::move(plan));
}

void Scan::State::pass_state(ScanEvent& event) {
  if (event.kind == FrameEvent::Kind::kFrame && options.make_state) {
    if (!std::exchange(has_state, true)) state = options.make_state(*event.from, event);
    if (state != nullptr) {
      const auto start = std::chrono::steady_clock::now();
      std::string problem = problem_of([&] { state->next(event); });
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      event.seconds += spent.count();
      of_states += spent.count();
      if (problem.empty()) problem = std::exchange(event.problem, {});
      if (!problem.empty()) make_problem(event, problem);
    }
  }
  event.state = state.get();
  if (state != nullptr && progress.note.empty()) progress.note = state->note();
  input_ended = event.kind == FrameEvent::Kind::kEnd;
}

void Scan::State::count(const ScanEvent& event) {
  switch (event.kind) {
    case FrameEvent::Kind::kFrame:
      ++progress.frames;
      progress.fraction = event.fraction_done();
      break;
    case FrameEvent::Kind::kProblem:
      ++progress.problems;
      break;
    case FrameEvent::Kind::kEnd:
      ++progress.inputs_done;
      progress.fraction = 0;
      break;
  }
}

namespace {

const ScanOptions& checked(const ScanOptions& options) {
  if (options.batch && *options.batch < 1)
    throw Error(ErrorCode::kUsage, "a batch of a scan must have 1 frame or more");
  return options;
}

KnownInputs known_of(const std::vector<Input>& inputs) {
  const auto is_picture = [](const Input& input) {
    return input.kind == InputKind::kPicture || input.kind == InputKind::kUnknown;
  };
  return {inputs.size(), std::any_of(inputs.begin(), inputs.end(), is_picture),
          inputs.empty() || (inputs.size() == 1 && is_picture(inputs.front()))};
}

}  // namespace

Scan::Scan(std::vector<Input> inputs, std::unique_ptr<ScanWork> work, ScanOptions options) {
  const KnownInputs known = known_of(inputs);
  state_ = std::make_unique<State>(std::move(inputs), known, std::move(work), checked(options));
}
Scan::Scan(std::unique_ptr<InputSource> inputs, std::unique_ptr<ScanWork> work, ScanOptions options)
    : state_(std::make_unique<State>(std::move(inputs), KnownInputs(), std::move(work), checked(options))) {}
Scan::~Scan() = default;
Scan::Scan(Scan&&) noexcept = default;
Scan& Scan::operator=(Scan&&) noexcept = default;

bool Scan::next(ScanEvent& event) { return state_->next(event); }
bool Scan::wait(std::chrono::milliseconds time) {
  const State& state = *state_;
  if (state.over || state.given < state.batch.size()) return true;
  return state.open != nullptr ? state_->open->wait(time) : state_->reader.wait(time);
}
const ScanProgress& Scan::progress() const { return state_->progress; }

}  // namespace winnow
