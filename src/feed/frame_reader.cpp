// Reads inputs with several threads, and gives their frames in order, as winnow/feed.h declares; its opening
// comment holds here.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <winnow/error.h>
#include <winnow/feed.h>

#include "feed/input_frames.h"

namespace winnow {
namespace {

constexpr std::size_t kQueueBytes = std::size_t{256} << 20;
constexpr std::size_t kQueueFrames = 64;
constexpr std::size_t kFrontFrames = 16;  // places for the front input's events if the queue is full
constexpr std::size_t kCameraFrames = 2;

constexpr int kMostReaders = 32;  // reading threads; each holds a picture in memory

class ListedInputs final : public InputSource {
 public:
  explicit ListedInputs(std::vector<Input> inputs) : inputs_(std::move(inputs)) {}
  bool next(Input& input, std::stop_token) override {
    if (next_ == inputs_.size()) return false;
    input = std::move(inputs_[next_++]);
    return true;
  }

 private:
  std::vector<Input> inputs_;
  std::size_t next_ = 0;
};

}  // namespace

int reader_threads(int search_threads) { return std::min(search_threads, kMostReaders); }

InputSource::~InputSource() = default;

std::string frame_name(const FrameEvent& event) {
  const std::string name = input_name(*event.from);
  const bool many = event.video || event.sequence || event.from->kind == InputKind::kStream;
  return many ? name + ", frame " + std::to_string(event.index) : name;
}

struct FrameReader::State {
  State(std::unique_ptr<InputSource> from, const FrameReaderOptions& reader_options, std::stop_token token)
      : source(std::move(from)), options(reader_options), stop(std::move(token)) {}
  ~State();

  // The events of an input that were not taken yet.
  struct Slot {
    std::shared_ptr<const Input> input;
    std::deque<FrameEvent> events;
    bool done = false;     // the input is read to its end; kEnd follows `events`
    bool starved = false;  // memory ran out, for the input or for the sentence about its problem
  };

  void start(std::size_t most_threads);
  bool next(FrameEvent& event);
  bool has_event() const { return !slots.empty() && (!slots.front().events.empty() || slots.front().done); }
  // Whether an event waits, or no more events come.
  bool is_decided() const { return has_event() || (source_ended && slots.empty()); }
  void work();
  std::optional<std::size_t> begin_input();
  bool wait_for_earlier(std::size_t index);
  bool push(FrameEvent event);
  void finish(std::size_t index, bool starved);
  Slot& slot(std::size_t index) { return slots[index - front]; }
  bool has_room(const FrameEvent& event);
  bool is_over() const { return over.stop_requested(); }

  std::mutex source_mutex;  // taken before `mutex`; its owner takes the next input
  const std::unique_ptr<InputSource> source;
  const FrameReaderOptions options;
  const std::stop_token stop;  // the caller's request to stop
  std::stop_source over;       // stops the threads when the reader is destroyed
  std::mutex mutex;
  std::condition_variable_any ready;  // wakes `next`: the front input has an event
  std::condition_variable room;       // wakes readers: an event has room, or an input may begin
  std::deque<Slot> slots;             // one for each input from `front` on that was begun
  std::size_t front = 0;              // the input whose events are taken next
  std::size_t first_unread = 0;       // all inputs before this one are read
  bool source_ended = false;
  std::exception_ptr source_failure;  // thrown after the events of all inputs before
  std::size_t queued_frames = 0, queued_bytes = 0;
  std::vector<std::thread> threads;
};

void FrameReader::State::start(std::size_t most_threads) {
  const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(options.threads, 1)), most_threads);
  for (std::size_t i = 0; i < wanted; ++i) {
    try {
      threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // the system may have no more threads; one is enough
      if (threads.empty()) throw;
      break;
    }
  }
}

FrameReader::State::~State() {
  {
    const std::lock_guard lock(mutex);
    over.request_stop();
  }
  room.notify_all();
  for (std::thread& thread : threads) thread.join();
}

bool FrameReader::State::next(FrameEvent& event) {
  std::unique_lock lock(mutex);
  ready.wait(lock, stop, [&] { return is_decided(); });
  if (stop.stop_requested()) return false;
  if (!has_event()) {
    if (source_failure != nullptr) std::rethrow_exception(std::exchange(source_failure, nullptr));
    return false;
  }
  Slot& first = slots.front();
  std::shared_ptr<const Input> input = first.input;
  const bool ended = first.events.empty() && !first.starved;
  if (!first.events.empty()) {
    event = std::move(first.events.front());
    first.events.pop_front();
    --queued_frames;
    queued_bytes -= event.bytes();
  } else if (std::exchange(first.starved, false)) {
    event = problem_event(front, input_name(*input) + ": there is not enough memory for it");
  } else {
    event = event_of(FrameEvent::Kind::kEnd, front);
  }
  event.from = std::move(input);
  if (ended) {
    slots.pop_front();
    ++front;
  }
  // Many readers may wait, so they are not woken for each event. They are woken once the queue is at most
  // half full, or at most half of the front input's `kFrontFrames` places are taken. An input that has just
  // become the front wakes them only if none of its places is taken.
  const bool reading = slots.empty() || !slots.front().done;
  const std::size_t at_front = slots.empty() ? 0 : slots.front().events.size();
  if (queued_frames <= kQueueFrames / 2 || (reading && at_front <= (ended ? 0 : kFrontFrames / 2)))
    room.notify_all();
  return true;
}

// Takes the next input from the source, once there is room for it. No value if there is none.
std::optional<std::size_t> FrameReader::State::begin_input() {
  const std::size_t most_begun = kQueueFrames + static_cast<std::size_t>(std::max(options.threads, 1));
  const std::lock_guard source_lock(source_mutex);
  {
    std::unique_lock lock(mutex);
    // Limits the number of inputs that were begun and still have events to be taken.
    room.wait(lock, [&] { return is_over() || slots.size() < most_begun; });
    if (is_over() || source_ended) return {};
  }
  Slot slot;
  std::exception_ptr failure;
  try {
    Input input;
    if (source->next(input, over.get_token())) slot.input = std::make_shared<const Input>(std::move(input));
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex);
  if (slot.input == nullptr) {
    source_ended = true;
    source_failure = failure;
    ready.notify_all();
    return {};
  }
  slots.push_back(std::move(slot));
  return front + slots.size() - 1;
}

void FrameReader::State::work() {
  while (const std::optional<std::size_t> begun = begin_input()) {
    const std::size_t index = *begun;
    std::shared_ptr<const Input> input;
    {
      const std::lock_guard lock(mutex);
      input = slot(index).input;
    }
    std::string problem;
    bool starved = false;
    try {
      give_input_frames(*input, options,
                        {index, over.get_token(), [this](FrameEvent event) { return push(std::move(event)); },
                         [this, index] { return wait_for_earlier(index); }});
    } catch (const Error& error) {
      problem = text_of(error, *input);
    } catch (const std::bad_alloc&) {
      starved = true;
    } catch (const std::exception& error) {
      problem = input_name(*input) + ": " + error.what();
    }
    try {
      if (!problem.empty() && !push(problem_event(index, std::move(problem)))) return;
    } catch (const std::bad_alloc&) {
      starved = true;
    }
    finish(index, starved);
  }
}

bool FrameReader::State::wait_for_earlier(std::size_t index) {
  std::unique_lock lock(mutex);
  room.wait(lock, [&] { return is_over() || first_unread == index; });
  return !is_over();
}

// The front input may always queue one event, because events of later inputs may have filled the queue.
bool FrameReader::State::has_room(const FrameEvent& event) {
  const std::size_t queued = slot(event.input).events.size();
  const bool at_front = event.input == front;
  if (at_front && queued == 0) return true;
  if (slot(event.input).input->kind == InputKind::kCamera && queued >= kCameraFrames) return false;
  return queued_bytes + event.bytes() <= kQueueBytes &&
         (queued_frames < kQueueFrames || (at_front && queued < kFrontFrames));
}

bool FrameReader::State::push(FrameEvent event) {
  event.read = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex);
  room.wait(lock, [&] { return is_over() || has_room(event); });
  if (is_over()) return false;
  const std::size_t index = event.input, bytes = event.bytes();
  slot(index).events.push_back(std::move(event));
  ++queued_frames;
  queued_bytes += bytes;
  if (index == front) ready.notify_one();
  return true;
}

void FrameReader::State::finish(std::size_t index, bool starved) {
  const std::lock_guard lock(mutex);
  slot(index).starved = starved;
  slot(index).done = true;
  if (index == front) ready.notify_one();
  const std::size_t before = first_unread;
  while (first_unread < front + slots.size() && slot(first_unread).done) ++first_unread;
  if (first_unread != before) room.notify_all();
}

namespace {

const FrameReaderOptions& checked(const FrameReaderOptions& options) {
  if (options.every < 1)
    throw Error(ErrorCode::kUsage, "a reader takes every Nth frame: N must be 1 or more");
  return options;
}

}  // namespace

FrameReader::FrameReader(std::vector<Input> inputs, const FrameReaderOptions& options, std::stop_token stop) {
  const std::size_t count = inputs.size();
  state_ = std::make_unique<State>(std::make_unique<ListedInputs>(std::move(inputs)), checked(options),
                                   std::move(stop));
  state_->start(std::max<std::size_t>(count, 1));
}
FrameReader::FrameReader(std::unique_ptr<InputSource> inputs, const FrameReaderOptions& options,
                         std::stop_token stop)
    : state_(std::make_unique<State>(std::move(inputs), checked(options), std::move(stop))) {
  state_->start(kMostReaders);
}
FrameReader::~FrameReader() = default;
FrameReader::FrameReader(FrameReader&&) noexcept = default;
FrameReader& FrameReader::operator=(FrameReader&&) noexcept = default;

bool FrameReader::next(FrameEvent& event) { return state_->next(event); }

bool FrameReader::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(state_->mutex);
  const bool decided = state_->ready.wait_for(lock, state_->stop, time, [&] { return state_->is_decided(); });
  return decided || state_->stop.stop_requested();
}

bool FrameReader::ready() const {
  const std::lock_guard lock(state_->mutex);
  return state_->has_event();
}

}  // namespace winnow
